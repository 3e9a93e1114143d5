<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
 <context>
  <name>Stagecraft</name>
  <message>
   <source>OK</source>
   <translation>OK</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <source>Discard</source>
   <translation>Verwerfen</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Restore Defaults</source>
   <translation>Voreinstellungen</translation>
  </message>
  <message>
   <source>Writing code</source>
   <translation>Der Code wird geschrieben</translation>
  </message>
  <message>
   <source>The times were of other sizes; they are estimated now.</source>
   <translation>Die Zeiten galten für andere Größen; sie sind jetzt geschätzt.</translation>
  </message>
  <message>
   <source>Split automatically</source>
   <translation>Automatisch aufteilen</translation>
  </message>
  <message>
   <source>The boundary %1 is locked.</source>
   <translation>Die Grenze %1 ist gesperrt.</translation>
  </message>
  <message>
   <source>Move boundary %1</source>
   <translation>Grenze %1 verschieben</translation>
  </message>
  <message>
   <source>Add a boundary</source>
   <translation>Eine Grenze hinzufügen</translation>
  </message>
  <message>
   <source>Remove boundary %1</source>
   <translation>Grenze %1 entfernen</translation>
  </message>
  <message numerus="yes">
   <source>Send %n op(s) to the next stage</source>
   <translation>
    <numerusform>%n Operation an die nächste Stufe geben</numerusform>
    <numerusform>%n Operationen an die nächste Stufe geben</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Send %n op(s) to the previous stage</source>
   <translation>
    <numerusform>%n Operation an die vorige Stufe geben</numerusform>
    <numerusform>%n Operationen an die vorige Stufe geben</numerusform>
   </translation>
  </message>
  <message>
   <source>Unlock boundary %1</source>
   <translation>Grenze %1 entsperren</translation>
  </message>
  <message>
   <source>Lock boundary %1</source>
   <translation>Grenze %1 sperren</translation>
  </message>
  <message numerus="yes">
   <source>Release %n op(s)</source>
   <translation>
    <numerusform>%n Operation freigeben</numerusform>
    <numerusform>%n Operationen freigeben</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Pin %n op(s) to the stage</source>
   <translation>
    <numerusform>%n Operation an die Stufe heften</numerusform>
    <numerusform>%n Operationen an die Stufe heften</numerusform>
   </translation>
  </message>
  <message>
   <source>Select two ops or more, or a module, to keep them together.</source>
   <translation>Wählen Sie zwei oder mehr Operationen oder ein Modul, um sie zusammenzuhalten.</translation>
  </message>
  <message numerus="yes">
   <source>Keep %n op(s) together</source>
   <translation>
    <numerusform>%n Operation zusammenhalten</numerusform>
    <numerusform>%n Operationen zusammenhalten</numerusform>
   </translation>
  </message>
  <message>
   <source>Let results be sent</source>
   <translation>Ergebnisse dürfen gesendet werden</translation>
  </message>
  <message>
   <source>Never send results</source>
   <translation>Ergebnisse nie senden</translation>
  </message>
  <message>
   <source>No longer keep together</source>
   <translation>Nicht mehr zusammenhalten</translation>
  </message>
  <message numerus="yes">
   <source>No longer treat %n module(s) as a block</source>
   <translation>
    <numerusform>%n Modul nicht mehr als Block behandeln</numerusform>
    <numerusform>%n Module nicht mehr als Block behandeln</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Treat %n module(s) as a block</source>
   <translation>
    <numerusform>%n Modul als Block behandeln</numerusform>
    <numerusform>%n Module als Block behandeln</numerusform>
   </translation>
  </message>
  <message>
   <source>Reading a measured step</source>
   <translation>Ein gemessener Schritt wird gelesen</translation>
  </message>
  <message>
   <source>Comparing numbers of stages</source>
   <translation>Zahlen von Stufen werden verglichen</translation>
  </message>
  <message numerus="yes">
   <source>Take the plan of %n stage(s)</source>
   <translation>
    <numerusform>Den Plan mit %n Stufe übernehmen</numerusform>
    <numerusform>Den Plan mit %n Stufen übernehmen</numerusform>
   </translation>
  </message>
  <message>
   <source>Looking for the largest batch</source>
   <translation>Der größte Batch wird gesucht</translation>
  </message>
  <message>
   <source>Looking for advice</source>
   <translation>Rat wird gesucht</translation>
  </message>
  <message>
   <source>Looking for trade-offs</source>
   <translation>Kompromisse werden gesucht</translation>
  </message>
  <message>
   <source>Take the plan of “%1”</source>
   <translation>Den Plan von „%1“ übernehmen</translation>
  </message>
  <message>
   <source>Running a step</source>
   <translation>Ein Schritt läuft</translation>
  </message>
  <message>
   <source>Measuring every op</source>
   <translation>Jede Operation wird gemessen</translation>
  </message>
  <message>
   <source>Take the measured times</source>
   <translation>Die gemessenen Zeiten übernehmen</translation>
  </message>
  <message>
   <source>Reading times</source>
   <translation>Zeiten werden gelesen</translation>
  </message>
  <message>
   <source>Take the times of a file</source>
   <translation>Die Zeiten einer Datei übernehmen</translation>
  </message>
  <message>
   <source>The costs of this model are not known yet.</source>
   <translation>Die Kosten dieses Modells sind noch nicht bekannt.</translation>
  </message>
  <message numerus="yes">
   <source>Send %n op(s) to stage %1</source>
   <translation>
    <numerusform>%n Operation an Stufe %1 geben</numerusform>
    <numerusform>%n Operationen an Stufe %1 geben</numerusform>
   </translation>
  </message>
  <message>
   <source>Opening %1</source>
   <translation>%1 wird geöffnet</translation>
  </message>
  <message>
   <source>Profiling</source>
   <translation>Kosten werden ermittelt</translation>
  </message>
  <message>
   <source>Split into %1 stages</source>
   <translation>In %1 Stufen aufteilen</translation>
  </message>
  <message>
   <source>Searching for the best split</source>
   <translation>Die beste Aufteilung wird gesucht</translation>
  </message>
  <message>
   <source>Looking for a bound</source>
   <translation>Eine Schranke wird gesucht</translation>
  </message>
  <message>
   <source>Saving %1</source>
   <translation>%1 wird gespeichert</translation>
  </message>
  <message>
   <source>Restore the edits</source>
   <translation>Die Änderungen wiederherstellen</translation>
  </message>
  <message>
   <source>Reading weights</source>
   <translation>Gewichte werden gelesen</translation>
  </message>
  <message>
   <source>The model has the weights of these files now; exports hold them.</source>
   <translation>Das Modell hat jetzt die Gewichte dieser Dateien; Exporte enthalten sie.</translation>
  </message>
  <message>
   <source>Drawing</source>
   <translation>Es wird gezeichnet</translation>
  </message>
  <message>
   <source>%1 was moved or removed. What is shown is as it was opened.</source>
   <translation>%1 wurde verschoben oder gelöscht. Gezeigt wird der Stand beim Öffnen.</translation>
  </message>
  <message>
   <source>%1 was changed on the disk. What is shown is the model as it was opened.</source>
   <translation>%1 wurde auf der Platte geändert. Gezeigt wird das Modell beim Öffnen.</translation>
  </message>
  <message>
   <source>Swap A and B</source>
   <translation>A und B tauschen</translation>
  </message>
  <message>
   <source>Finding a plan to compare with</source>
   <translation>Ein Plan zum Vergleichen wird gesucht</translation>
  </message>
  <message>
   <source>Reading a plan to compare with</source>
   <translation>Ein Plan zum Vergleichen wird gelesen</translation>
  </message>
  <message>
   <source>Opened</source>
   <translation>Geöffnet</translation>
  </message>
  <message>
   <source>Return to plan %1</source>
   <translation>Zu Plan %1 zurückkehren</translation>
  </message>
  <message>
   <source>Weighing memory against time</source>
   <translation>Speicher gegen Zeit abwägen</translation>
  </message>
  <message>
   <source>Recompute for %1 a stage</source>
   <translation>Neu berechnen für %1 je Stufe</translation>
  </message>
  <message>
   <source>%1 as exported</source>
   <translation>%1 wie exportiert</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>Größe</translation>
  </message>
  <message>
   <source>Memory limit of the device</source>
   <translation>Speichergrenze des Geräts</translation>
  </message>
  <message>
   <source>Memory limit</source>
   <translation>Speichergrenze</translation>
  </message>
  <message>
   <source>Memory limits by stage</source>
   <translation>Speichergrenzen je Stufe</translation>
  </message>
  <message>
   <source>Links of the device</source>
   <translation>Verbindungen des Geräts</translation>
  </message>
  <message>
   <source>Links</source>
   <translation>Verbindungen</translation>
  </message>
  <message>
   <source>Links by boundary</source>
   <translation>Verbindungen je Grenze</translation>
  </message>
  <message>
   <source>Master weights</source>
   <translation>Gewichte in voller Genauigkeit</translation>
  </message>
  <message>
   <source>No master weights</source>
   <translation>Keine Gewichte in voller Genauigkeit</translation>
  </message>
  <message>
   <source>The usual loss</source>
   <translation>Der übliche Loss</translation>
  </message>
  <message>
   <source>Loss</source>
   <translation>Loss</translation>
  </message>
  <message>
   <source>Device</source>
   <translation>Gerät</translation>
  </message>
  <message>
   <source>Speeds by stage</source>
   <translation>Tempo je Stufe</translation>
  </message>
  <message>
   <source>Search time</source>
   <translation>Suchzeit</translation>
  </message>
  <message>
   <source>Stages per device</source>
   <translation>Stufen pro Gerät</translation>
  </message>
  <message>
   <source>%1 choices</source>
   <translation>%1 Einstellungen</translation>
  </message>
  <message numerus="yes">
   <source>%1 and %n more</source>
   <translation>
    <numerusform>%1 und %n weitere</numerusform>
    <numerusform>%1 und %n weitere</numerusform>
   </translation>
  </message>
  <message>
   <source>measured on another plan than this; it shows again with that one</source>
   <translation>an einem anderen Plan gemessen; mit jenem erscheint es wieder</translation>
  </message>
  <message>
   <source>%1, microbatches: %2</source>
   <translation>%1, Mikrobatches: %2</translation>
  </message>
  <message>
   <source>%1 × %2 · %3 microbatches · %4 · %5</source>
   <translation>%1 × %2 · %3 Mikrobatches · %4 · %5</translation>
  </message>
  <message>
   <source>About Stagecraft</source>
   <translation>Über Stagecraft</translation>
  </message>
  <message>
   <source>&lt;h3&gt;Stagecraft %1&lt;/h3&gt;&lt;p&gt;Shows where a PyTorch model spends memory and time, and splits it into pipeline stages that run.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;</source>
   <translation>&lt;h3&gt;Stagecraft %1&lt;/h3&gt;&lt;p&gt;Zeigt, wo ein PyTorch-Modell Speicher und Zeit braucht, und teilt es in Pipeline-Stufen, die laufen.&lt;/p&gt;&lt;p&gt;Freie Software unter der GNU General Public License, Version 3 oder später.&lt;/p&gt;</translation>
  </message>
  <message>
   <source>Open a model or a plan</source>
   <translation>Ein Modell oder einen Plan öffnen</translation>
  </message>
  <message>
   <source>&amp;Open…</source>
   <translation>Ö&amp;ffnen…</translation>
  </message>
  <message>
   <source>Open a model or a plan in a window of its own</source>
   <translation>Ein Modell oder einen Plan in einem eigenen Fenster öffnen</translation>
  </message>
  <message>
   <source>Open in another &amp;window…</source>
   <translation>In neuem F&amp;enster öffnen…</translation>
  </message>
  <message>
   <source>Read the model's file again</source>
   <translation>Die Datei des Modells noch einmal lesen</translation>
  </message>
  <message>
   <source>Re&amp;load</source>
   <translation>Neu &amp;laden</translation>
  </message>
  <message>
   <source>Take the model's weights from .safetensors files, or a checkpoint's index</source>
   <translation>Die Gewichte des Modells aus .safetensors-Dateien oder dem Index eines Checkpoints nehmen</translation>
  </message>
  <message>
   <source>Attach wei&amp;ghts…</source>
   <translation>&amp;Gewichte zuordnen…</translation>
  </message>
  <message>
   <source>Lay what a run of the stages took over the planned step: files of pipeline.py --profile or of torch.profiler</source>
   <translation>Was ein Lauf der Stufen dauerte, über den geplanten Schritt legen: Dateien von pipeline.py --profile oder torch.profiler</translation>
  </message>
  <message>
   <source>Open &amp;measured step…</source>
   <translation>Ge&amp;messenen Schritt öffnen…</translation>
  </message>
  <message>
   <source>Save the split to its *.stagecraft file</source>
   <translation>Die Aufteilung in ihre *.stagecraft-Datei speichern</translation>
  </message>
  <message>
   <source>&amp;Save plan</source>
   <translation>Plan &amp;speichern</translation>
  </message>
  <message>
   <source>Save the split to another *.stagecraft file</source>
   <translation>Die Aufteilung in eine andere *.stagecraft-Datei speichern</translation>
  </message>
  <message>
   <source>Save plan &amp;as…</source>
   <translation>Plan speichern &amp;unter…</translation>
  </message>
  <message>
   <source>Write the stages as modules that run</source>
   <translation>Die Stufen als lauffähige Module schreiben</translation>
  </message>
  <message>
   <source>&amp;Export stages…</source>
   <translation>Stufen e&amp;xportieren…</translation>
  </message>
  <message>
   <source>The plan as torchtitan, Megatron, DeepSpeed and others read it</source>
   <translation>Der Plan, wie ihn torchtitan, Megatron, DeepSpeed und andere lesen</translation>
  </message>
  <message>
   <source>Export plan for other &amp;frameworks…</source>
   <translation>Plan für &amp;andere Frameworks exportieren…</translation>
  </message>
  <message>
   <source>Save the drawing of the graph as SVG</source>
   <translation>Die Zeichnung des Graphen als SVG speichern</translation>
  </message>
  <message>
   <source>Export &amp;picture…</source>
   <translation>&amp;Bild exportieren…</translation>
  </message>
  <message>
   <source>Save plan and figures as one page for any browser</source>
   <translation>Plan und Zahlen als eine Seite für jeden Browser speichern</translation>
  </message>
  <message>
   <source>Export repor&amp;t…</source>
   <translation>Be&amp;richt exportieren…</translation>
  </message>
  <message>
   <source>Close this window</source>
   <translation>Dieses Fenster schließen</translation>
  </message>
  <message>
   <source>&amp;Close window</source>
   <translation>Fenster s&amp;chließen</translation>
  </message>
  <message>
   <source>Close all windows</source>
   <translation>Alle Fenster schließen</translation>
  </message>
  <message>
   <source>&amp;Quit</source>
   <translation>Been&amp;den</translation>
  </message>
  <message>
   <source>&amp;Undo</source>
   <translation>&amp;Rückgängig</translation>
  </message>
  <message>
   <source>Take back the last change of the plan</source>
   <translation>Die letzte Änderung des Plans zurücknehmen</translation>
  </message>
  <message>
   <source>&amp;Redo</source>
   <translation>&amp;Wiederholen</translation>
  </message>
  <message>
   <source>Do again what was taken back</source>
   <translation>Zurückgenommenes noch einmal tun</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>Rückgängig</translation>
  </message>
  <message>
   <source>Redo</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <source>Find ops by name, module, stage, shape or what they cost</source>
   <translation>Operationen nach Name, Modul, Stufe, Form oder Kosten finden</translation>
  </message>
  <message>
   <source>&amp;Find…</source>
   <translation>&amp;Suchen…</translation>
  </message>
  <message>
   <source>Go to the next match</source>
   <translation>Zum nächsten Treffer gehen</translation>
  </message>
  <message>
   <source>Find &amp;next</source>
   <translation>&amp;Nächster Treffer</translation>
  </message>
  <message>
   <source>Go to the match before</source>
   <translation>Zum vorigen Treffer gehen</translation>
  </message>
  <message>
   <source>Find &amp;previous</source>
   <translation>&amp;Voriger Treffer</translation>
  </message>
  <message>
   <source>What is looked for, or all ops, in a table with what they cost</source>
   <translation>Das Gesuchte oder alle Operationen in einer Tabelle mit ihren Kosten</translation>
  </message>
  <message>
   <source>List &amp;operators</source>
   <translation>&amp;Operationen auflisten</translation>
  </message>
  <message>
   <source>Find anything that can be done or gone to by its name</source>
   <translation>Alles, was man tun oder wohin man gehen kann, nach Namen finden</translation>
  </message>
  <message>
   <source>Co&amp;mmands…</source>
   <translation>&amp;Befehle…</translation>
  </message>
  <message>
   <source>Select every op</source>
   <translation>Jede Operation auswählen</translation>
  </message>
  <message>
   <source>Select &amp;all ops</source>
   <translation>&amp;Alle Operationen auswählen</translation>
  </message>
  <message>
   <source>Select nothing</source>
   <translation>Nichts auswählen</translation>
  </message>
  <message>
   <source>&amp;Clear selection</source>
   <translation>Auswahl auf&amp;heben</translation>
  </message>
  <message>
   <source>Select what was selected before</source>
   <translation>Auswählen, was vorher ausgewählt war</translation>
  </message>
  <message>
   <source>Previous se&amp;lection</source>
   <translation>Vori&amp;ge Auswahl</translation>
  </message>
  <message>
   <source>Select what was selected after this</source>
   <translation>Auswählen, was danach ausgewählt war</translation>
  </message>
  <message>
   <source>Next selec&amp;tion</source>
   <translation>Nä&amp;chste Auswahl</translation>
  </message>
  <message>
   <source>Show the whole graph</source>
   <translation>Den ganzen Graphen zeigen</translation>
  </message>
  <message>
   <source>&amp;Fit all</source>
   <translation>Alles &amp;zeigen</translation>
  </message>
  <message>
   <source>Show what is selected as large as it fits</source>
   <translation>Das Ausgewählte so groß zeigen, wie es passt</translation>
  </message>
  <message>
   <source>Frame &amp;selection</source>
   <translation>&amp;Auswahl zeigen</translation>
  </message>
  <message>
   <source>Show the graph at its natural size</source>
   <translation>Den Graphen in natürlicher Größe zeigen</translation>
  </message>
  <message>
   <source>Show the graph larger</source>
   <translation>Den Graphen größer zeigen</translation>
  </message>
  <message>
   <source>Zoom &amp;in</source>
   <translation>Ver&amp;größern</translation>
  </message>
  <message>
   <source>Show the graph smaller</source>
   <translation>Den Graphen kleiner zeigen</translation>
  </message>
  <message>
   <source>Zoom &amp;out</source>
   <translation>Ver&amp;kleinern</translation>
  </message>
  <message>
   <source>Show or hide what is inside the selected box</source>
   <translation>Zeigen oder verbergen, was im gewählten Kasten ist</translation>
  </message>
  <message>
   <source>Open or c&amp;lose box	Enter</source>
   <translation>Kasten &amp;öffnen oder schließen	Eingabe</translation>
  </message>
  <message>
   <source>The same for every box inside it</source>
   <translation>Dasselbe für jeden Kasten darin</translation>
  </message>
  <message>
   <source>Open or close with all &amp;below	Alt+Enter</source>
   <translation>Mit allem &amp;darin öffnen oder schließen	Alt+Eingabe</translation>
  </message>
  <message>
   <source>Open every box</source>
   <translation>Jeden Kasten öffnen</translation>
  </message>
  <message>
   <source>&amp;Expand all</source>
   <translation>Alle a&amp;ufklappen</translation>
  </message>
  <message>
   <source>Close every box</source>
   <translation>Jeden Kasten schließen</translation>
  </message>
  <message>
   <source>&amp;Collapse all</source>
   <translation>Alle zukla&amp;ppen</translation>
  </message>
  <message>
   <source>Draw ops that nothing depends on: counters, assertions</source>
   <translation>Operationen zeichnen, von denen nichts abhängt: Zähler, Prüfungen</translation>
  </message>
  <message>
   <source>Show &amp;hidden ops</source>
   <translation>&amp;Verborgene Operationen zeigen</translation>
  </message>
  <message>
   <source>Draw equal neighbours once, with a count</source>
   <translation>Gleiche Nachbarn einmal zeichnen, mit Anzahl</translation>
  </message>
  <message>
   <source>Fold &amp;repeats</source>
   <translation>&amp;Wiederholungen falten</translation>
  </message>
  <message>
   <source>Leave the graph alone in the window</source>
   <translation>Nur den Graphen im Fenster lassen</translation>
  </message>
  <message>
   <source>Hi&amp;de all panels</source>
   <translation>Felder ver&amp;bergen</translation>
  </message>
  <message>
   <source>Use the whole screen</source>
   <translation>Den ganzen Bildschirm nutzen</translation>
  </message>
  <message>
   <source>F&amp;ull screen</source>
   <translation>Vollb&amp;ild</translation>
  </message>
  <message>
   <source>Light or dark as the desktop is</source>
   <translation>Hell oder dunkel wie der Desktop</translation>
  </message>
  <message>
   <source>As the &amp;desktop</source>
   <translation>Wie der &amp;Desktop</translation>
  </message>
  <message>
   <source>Dark text on a light background</source>
   <translation>Dunkle Schrift auf hellem Grund</translation>
  </message>
  <message>
   <source>&amp;Light</source>
   <translation>&amp;Hell</translation>
  </message>
  <message>
   <source>Light text on a dark background</source>
   <translation>Helle Schrift auf dunklem Grund</translation>
  </message>
  <message>
   <source>&amp;Dark</source>
   <translation>&amp;Dunkel</translation>
  </message>
  <message>
   <source>Search for the best split into this many stages</source>
   <translation>Die beste Aufteilung in so viele Stufen suchen</translation>
  </message>
  <message>
   <source>Split &amp;automatically</source>
   <translation>&amp;Automatisch aufteilen</translation>
  </message>
  <message>
   <source>Begin a new stage at the first selected op</source>
   <translation>Mit der ersten gewählten Operation eine neue Stufe beginnen</translation>
  </message>
  <message>
   <source>Split &amp;before selection</source>
   <translation>&amp;Vor der Auswahl teilen</translation>
  </message>
  <message>
   <source>Join the stages on both sides of the chosen boundary</source>
   <translation>Die Stufen beiderseits der gewählten Grenze vereinen</translation>
  </message>
  <message>
   <source>&amp;Remove boundary</source>
   <translation>Grenze ent&amp;fernen</translation>
  </message>
  <message>
   <source>Choose the boundary above</source>
   <translation>Die Grenze darüber wählen</translation>
  </message>
  <message>
   <source>Choose &amp;previous boundary</source>
   <translation>V&amp;orige Grenze wählen</translation>
  </message>
  <message>
   <source>Choose the boundary below</source>
   <translation>Die Grenze darunter wählen</translation>
  </message>
  <message>
   <source>Choose &amp;next boundary</source>
   <translation>&amp;Nächste Grenze wählen</translation>
  </message>
  <message>
   <source>Give the chosen boundary's module above to the stage after it</source>
   <translation>Das Modul über der gewählten Grenze der Stufe danach geben</translation>
  </message>
  <message>
   <source>Move boundary &amp;up by a module	Shift+Up</source>
   <translation>Grenze um ein Modul nach &amp;oben	Umschalt+Auf</translation>
  </message>
  <message>
   <source>Give the chosen boundary's module below to the stage before it</source>
   <translation>Das Modul unter der gewählten Grenze der Stufe davor geben</translation>
  </message>
  <message>
   <source>Move boundary &amp;down by a module	Shift+Down</source>
   <translation>Grenze um ein Modul nach &amp;unten	Umschalt+Ab</translation>
  </message>
  <message>
   <source>Where the slower of the two stages beside the chosen boundary is fastest</source>
   <translation>Wo die langsamere der beiden Stufen an der gewählten Grenze am schnellsten ist</translation>
  </message>
  <message>
   <source>Move boundary to the &amp;best place nearby	Ctrl+Down</source>
   <translation>Grenze an die &amp;beste Stelle in der Nähe	Strg+Ab</translation>
  </message>
  <message>
   <source>Keep the chosen boundary where it is, whatever is searched for; without one, pin the selected ops to their stage</source>
   <translation>Die gewählte Grenze bei jeder Suche lassen, wo sie ist; ohne Grenze die gewählten Operationen an ihre Stufe heften</translation>
  </message>
  <message>
   <source>&amp;Lock boundary</source>
   <translation>Grenze &amp;sperren</translation>
  </message>
  <message>
   <source>Keep the selected ops in the stages that they are in</source>
   <translation>Die gewählten Operationen in ihren Stufen lassen</translation>
  </message>
  <message>
   <source>P&amp;in to this stage</source>
   <translation>An diese Stufe &amp;heften</translation>
  </message>
  <message>
   <source>Keep the selected ops in one stage</source>
   <translation>Die gewählten Operationen in einer Stufe lassen</translation>
  </message>
  <message>
   <source>&amp;Keep together</source>
   <translation>&amp;Zusammenhalten</translation>
  </message>
  <message>
   <source>No longer keep the selected ops in one stage</source>
   <translation>Die gewählten Operationen nicht mehr in einer Stufe halten</translation>
  </message>
  <message>
   <source>Let a&amp;part</source>
   <translation>&amp;Trennen erlauben</translation>
  </message>
  <message>
   <source>Never part the module that all selected ops are in</source>
   <translation>Das Modul, in dem alle gewählten Operationen sind, nie teilen</translation>
  </message>
  <message>
   <source>Treat module as one &amp;block</source>
   <translation>Modul als einen Bloc&amp;k behandeln</translation>
  </message>
  <message>
   <source>Never part a module of the class that all selected ops are in</source>
   <translation>Kein Modul der Klasse teilen, in der alle gewählten Operationen sind</translation>
  </message>
  <message>
   <source>Treat e&amp;very module of its class as a block</source>
   <translation>&amp;Jedes Modul seiner Klasse als Block behandeln</translation>
  </message>
  <message>
   <source>Never part a module that is so many levels below the model itself</source>
   <translation>Kein Modul teilen, das so viele Ebenen unter dem Modell liegt</translation>
  </message>
  <message>
   <source>Treat modules at a de&amp;pth as blocks…</source>
   <translation>Module einer &amp;Tiefe als Blöcke behandeln…</translation>
  </message>
  <message>
   <source>Both boundaries of the stage stay where they are, whatever is searched for</source>
   <translation>Beide Grenzen der Stufe bleiben bei jeder Suche, wo sie sind</translation>
  </message>
  <message>
   <source>Keep the chosen sta&amp;ge as it is</source>
   <translation>&amp;Gewählte Stufe lassen, wie sie ist</translation>
  </message>
  <message>
   <source>Who reads a result of the selected ops stays in the stage that makes it</source>
   <translation>Wer ein Ergebnis der gewählten Operationen liest, bleibt in der Stufe, die es macht</translation>
  </message>
  <message>
   <source>Never send its resul&amp;ts</source>
   <translation>Ergebnisse nie s&amp;enden</translation>
  </message>
  <message>
   <source>Move the selected ops, and what must go along, to the stage before</source>
   <translation>Die gewählten Operationen und was mitgehen muss in die Stufe davor geben</translation>
  </message>
  <message>
   <source>Send to previous stage</source>
   <translation>An die vorige Stufe geben</translation>
  </message>
  <message>
   <source>Move the selected ops, and what must go along, to the stage after</source>
   <translation>Die gewählten Operationen und was mitgehen muss in die Stufe danach geben</translation>
  </message>
  <message>
   <source>Send to next stage</source>
   <translation>An die nächste Stufe geben</translation>
  </message>
  <message>
   <source>What the plan is made for</source>
   <translation>Wofür der Plan gemacht ist</translation>
  </message>
  <message>
   <source>Device and &amp;options</source>
   <translation>Gerät und &amp;Optionen</translation>
  </message>
  <message>
   <source>Save the order in which the stages run: as trace events for Perfetto, or as a table for torch.distributed.pipelining</source>
   <translation>Die Reihenfolge der Stufen speichern: als Ereignisse für Perfetto oder als Tabelle für torch.distributed.pipelining</translation>
  </message>
  <message>
   <source>Save sc&amp;hedule…</source>
   <translation>Ab&amp;lauf speichern…</translation>
  </message>
  <message>
   <source>Run a training step on this machine: spread, zeros, NaN of every tensor and gradient</source>
   <translation>Einen Trainingsschritt auf diesem Rechner ausführen: Streuung, Nullen, NaN jedes Tensors und Gradienten</translation>
  </message>
  <message>
   <source>&amp;Statistics of a real step…</source>
   <translation>&amp;Statistik eines echten Schritts…</translation>
  </message>
  <message>
   <source>Time every op on this machine, and plan with that</source>
   <translation>Jede Operation auf diesem Rechner messen und damit planen</translation>
  </message>
  <message>
   <source>&amp;Measure times</source>
   <translation>Zeiten &amp;messen</translation>
  </message>
  <message>
   <source>Plan with the times of a CSV, a JSON or a torch.profiler trace</source>
   <translation>Mit den Zeiten einer CSV-, JSON- oder torch.profiler-Datei planen</translation>
  </message>
  <message>
   <source>Read times from a &amp;file…</source>
   <translation>Zeiten aus &amp;Datei lesen…</translation>
  </message>
  <message>
   <source>Plan with the times that the device's figures give</source>
   <translation>Mit den Zeiten planen, die sich aus den Werten des Geräts ergeben</translation>
  </message>
  <message>
   <source>&amp;Estimate times again</source>
   <translation>Zeiten neu s&amp;chätzen</translation>
  </message>
  <message>
   <source>The largest batch whose step fits on the device</source>
   <translation>Der größte Batch, dessen Schritt auf das Gerät passt</translation>
  </message>
  <message>
   <source>Find the &amp;largest batch</source>
   <translation>&amp;Größten Batch finden</translation>
  </message>
  <message>
   <source>The best plan for every number of stages beside each other</source>
   <translation>Der beste Plan für jede Zahl von Stufen nebeneinander</translation>
  </message>
  <message>
   <source>&amp;Compare 1 to 16 stages</source>
   <translation>1 bis 16 Stufen &amp;vergleichen</translation>
  </message>
  <message>
   <source>Plans of as many stages that need less memory or send less</source>
   <translation>Pläne mit ebenso vielen Stufen, die weniger Speicher brauchen oder weniger senden</translation>
  </message>
  <message>
   <source>Find &amp;trade-offs</source>
   <translation>&amp;Kompromisse finden</translation>
  </message>
  <message>
   <source>Why the slowest stage is slow, and what would help</source>
   <translation>Warum die langsamste Stufe langsam ist und was helfen würde</translation>
  </message>
  <message>
   <source>&amp;Why no faster</source>
   <translation>&amp;Warum nicht schneller</translation>
  </message>
  <message>
   <source>Put all panels back where they were at first</source>
   <translation>Alle Felder dorthin setzen, wo sie anfangs waren</translation>
  </message>
  <message>
   <source>&amp;Reset layout</source>
   <translation>Anordnung &amp;zurücksetzen</translation>
  </message>
  <message>
   <source>Every key and what it does</source>
   <translation>Jede Taste und was sie tut</translation>
  </message>
  <message>
   <source>&amp;Keys</source>
   <translation>&amp;Tasten</translation>
  </message>
  <message>
   <source>Version and licence</source>
   <translation>Version und Lizenz</translation>
  </message>
  <message>
   <source>&amp;About Stagecraft</source>
   <translation>Ü&amp;ber Stagecraft</translation>
  </message>
  <message>
   <source>The version of Qt</source>
   <translation>Die Version von Qt</translation>
  </message>
  <message>
   <source>About &amp;Qt</source>
   <translation>Über &amp;Qt</translation>
  </message>
  <message>
   <source>&amp;File</source>
   <translation>&amp;Datei</translation>
  </message>
  <message>
   <source>Open &amp;recent</source>
   <translation>&amp;Zuletzt geöffnet</translation>
  </message>
  <message>
   <source>&amp;Edit</source>
   <translation>&amp;Bearbeiten</translation>
  </message>
  <message>
   <source>&amp;View</source>
   <translation>&amp;Ansicht</translation>
  </message>
  <message>
   <source>Colour b&amp;y</source>
   <translation>Färben nac&amp;h</translation>
  </message>
  <message>
   <source>&amp;Theme</source>
   <translation>Farb&amp;schema</translation>
  </message>
  <message>
   <source>&amp;Panels</source>
   <translation>&amp;Felder</translation>
  </message>
  <message>
   <source>&amp;Stages</source>
   <translation>&amp;Stufen</translation>
  </message>
  <message>
   <source>&amp;Analyse</source>
   <translation>A&amp;nalyse</translation>
  </message>
  <message>
   <source>&amp;Compare</source>
   <translation>&amp;Vergleichen</translation>
  </message>
  <message>
   <source>&amp;Window</source>
   <translation>&amp;Fenster</translation>
  </message>
  <message>
   <source>&amp;Help</source>
   <translation>&amp;Hilfe</translation>
  </message>
  <message>
   <source>Estimate times again</source>
   <translation>Zeiten neu schätzen</translation>
  </message>
  <message>
   <source>More</source>
   <translation>Mehr</translation>
  </message>
  <message>
   <source>What has no room in the bar</source>
   <translation>Was in der Leiste keinen Platz hat</translation>
  </message>
  <message>
   <source>More of the bar</source>
   <translation>Mehr von der Leiste</translation>
  </message>
  <message>
   <source>&amp;Keep this plan as B</source>
   <translation>Diesen Plan als B &amp;behalten</translation>
  </message>
  <message>
   <source>Compare all that follows with the plan as it is now</source>
   <translation>Alles Weitere mit dem jetzigen Plan vergleichen</translation>
  </message>
  <message>
   <source>Same c&amp;uts as this plan</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The plans below cut where this one does; otherwise each cuts where it is best</source>
   <translation>Die Pläne unten teilen, wo dieser teilt; sonst jeder, wo es am besten ist</translation>
  </message>
  <message>
   <source>With another s&amp;chedule</source>
   <translation>Mit anderem Ab&amp;lauf</translation>
  </message>
  <message>
   <source>With another &amp;device</source>
   <translation>Mit einem anderen &amp;Gerät</translation>
  </message>
  <message>
   <source>With another &amp;precision</source>
   <translation>Mit anderer Ge&amp;nauigkeit</translation>
  </message>
  <message>
   <source>With a plan &amp;file…</source>
   <translation>Mit einer Plan&amp;datei…</translation>
  </message>
  <message>
   <source>Compare with a plan that was saved</source>
   <translation>Mit einem gespeicherten Plan vergleichen</translation>
  </message>
  <message>
   <source>S&amp;wap A and B</source>
   <translation>A und B &amp;tauschen</translation>
  </message>
  <message>
   <source>B becomes the plan, in one step of undo, and the plan B</source>
   <translation>B wird der Plan, in einem Schritt von Rückgängig, und der Plan B</translation>
  </message>
  <message>
   <source>Code of &amp;A and B…</source>
   <translation>&amp;Code von A und B…</translation>
  </message>
  <message>
   <source>How the code of the stages differs</source>
   <translation>Worin sich der Code der Stufen unterscheidet</translation>
  </message>
  <message>
   <source>D&amp;rop B</source>
   <translation>B &amp;fallen lassen</translation>
  </message>
  <message>
   <source>Compare no longer</source>
   <translation>Nicht mehr vergleichen</translation>
  </message>
  <message>
   <source>&amp;History of plans</source>
   <translation>&amp;Verlauf der Pläne</translation>
  </message>
  <message>
   <source>All plans that were tried, to go back to and to compare with</source>
   <translation>Alle versuchten Pläne, zum Zurückkehren und Vergleichen</translation>
  </message>
  <message>
   <source>Find the plan under %1 and keep it as B</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Find the plan for %1 and keep it as B</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1, the same cuts</source>
   <translation>%1, gleiche Schnitte</translation>
  </message>
  <message>
   <source>Compare with a plan</source>
   <translation>Mit einem Plan vergleichen</translation>
  </message>
  <message>
   <source>Plans (*.stagecraft);;All files (*)</source>
   <translation>Pläne (*.stagecraft);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Code of A and B</source>
   <translation>Code von A und B</translation>
  </message>
  <message>
   <source>A device is left out: %1</source>
   <translation>Ein Gerät fehlt: %1</translation>
  </message>
  <message>
   <source>Figures of the device</source>
   <translation>Werte des Geräts</translation>
  </message>
  <message>
   <source> (copy)</source>
   <translation> (Kopie)</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>Modell</translation>
  </message>
  <message>
   <source>Stages</source>
   <translation>Stufen</translation>
  </message>
  <message>
   <source>Plan</source>
   <translation>Plan</translation>
  </message>
  <message>
   <source>Memory</source>
   <translation>Speicher</translation>
  </message>
  <message>
   <source>Code</source>
   <translation>Code</translation>
  </message>
  <message>
   <source>Details</source>
   <translation>Details</translation>
  </message>
  <message>
   <source>Charts</source>
   <translation>Kurven</translation>
  </message>
  <message>
   <source>Schedule</source>
   <translation>Ablauf</translation>
  </message>
  <message>
   <source>Map</source>
   <translation>Karte</translation>
  </message>
  <message>
   <source>Step memory</source>
   <translation>Speicher des Schritts</translation>
  </message>
  <message>
   <source>Curve</source>
   <translation>Verlauf</translation>
  </message>
  <message>
   <source>Trade-offs</source>
   <translation>Kompromisse</translation>
  </message>
  <message>
   <source>Operators</source>
   <translation>Operationen</translation>
  </message>
  <message>
   <source>History</source>
   <translation>Historie</translation>
  </message>
  <message>
   <source>Show or hide the panel “%1”</source>
   <translation>Das Feld „%1“ zeigen oder verbergen</translation>
  </message>
  <message>
   <source>Double click to take the panel out of the window</source>
   <translation>Doppelklick löst das Feld aus dem Fenster</translation>
  </message>
  <message>
   <source>Panels</source>
   <translation>Felder</translation>
  </message>
  <message>
   <source>Looking for the loss</source>
   <translation>Der Loss wird gesucht</translation>
  </message>
  <message>
   <source>Measuring</source>
   <translation>Es wird gemessen</translation>
  </message>
  <message>
   <source>Writing the stages</source>
   <translation>Die Stufen werden geschrieben</translation>
  </message>
  <message>
   <source>Comparing with the whole model</source>
   <translation>Vergleich mit dem ganzen Modell</translation>
  </message>
  <message>
   <source>Comparing the stages with the whole model</source>
   <translation>Die Stufen werden mit dem ganzen Modell verglichen</translation>
  </message>
  <message>
   <source>Reload</source>
   <translation>Neu laden</translation>
  </message>
  <message>
   <source>Models and plans (*.pt2 *.pt *.stagecraft);;All files (*)</source>
   <translation>Modelle und Pläne (*.pt2 *.pt *.stagecraft);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Read times of ops</source>
   <translation>Zeiten von Operationen lesen</translation>
  </message>
  <message>
   <source>Times and traces (*.csv *.json *.gz);;All files (*)</source>
   <translation>Zeiten und Aufzeichnungen (*.csv *.json *.gz);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>The model's weights</source>
   <translation>Die Gewichte des Modells</translation>
  </message>
  <message>
   <source>Weights (*.safetensors *.json);;All files (*)</source>
   <translation>Gewichte (*.safetensors *.json);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>A step that ran: the files of all ranks</source>
   <translation>Ein gelaufener Schritt: die Dateien aller Ränge</translation>
  </message>
  <message>
   <source>Steps and traces (*.json *.gz);;All files (*)</source>
   <translation>Schritte und Aufzeichnungen (*.json *.gz);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>%1 is open here, and would be written over; choose another name.</source>
   <translation>%1 ist hier offen und würde überschrieben; bitte einen anderen Namen wählen.</translation>
  </message>
  <message>
   <source>Save the plan</source>
   <translation>Den Plan speichern</translation>
  </message>
  <message>
   <source>Plans (*.stagecraft)</source>
   <translation>Pläne (*.stagecraft)</translation>
  </message>
  <message>
   <source>Unsaved plan</source>
   <translation>Nicht gespeicherter Plan</translation>
  </message>
  <message>
   <source>Save the plan of “%1”?</source>
   <translation>Den Plan von „%1“ speichern?</translation>
  </message>
  <message>
   <source>Save the changes to “%1”?</source>
   <translation>Die Änderungen an „%1“ speichern?</translation>
  </message>
  <message>
   <source>What is not saved is offered again when the file is opened next.</source>
   <translation>Nicht Gespeichertes wird beim nächsten Öffnen der Datei wieder angeboten.</translation>
  </message>
  <message>
   <source>Save the drawing</source>
   <translation>Die Zeichnung speichern</translation>
  </message>
  <message>
   <source>SVG (*.svg)</source>
   <translation>SVG (*.svg)</translation>
  </message>
  <message>
   <source>Save the report</source>
   <translation>Den Bericht speichern</translation>
  </message>
  <message>
   <source>Pages (*.html)</source>
   <translation>Seiten (*.html)</translation>
  </message>
  <message>
   <source>Tables of torch.distributed.pipelining (*.csv)</source>
   <translation>Tabellen von torch.distributed.pipelining (*.csv)</translation>
  </message>
  <message>
   <source>Tables with sends, for PyTorch 2.6 to 2.14 (*.csv)</source>
   <translation>Tabellen mit Senden, für PyTorch 2.6 bis 2.14 (*.csv)</translation>
  </message>
  <message>
   <source>Tables with sends, for PyTorch 2.15 and later (*.csv)</source>
   <translation>Tabellen mit Senden, für PyTorch ab 2.15 (*.csv)</translation>
  </message>
  <message>
   <source>Trace events for Perfetto (*.json)</source>
   <translation>Ereignisse für Perfetto (*.json)</translation>
  </message>
  <message>
   <source>Save the schedule</source>
   <translation>Den Ablauf speichern</translation>
  </message>
  <message>
   <source>Did you mean “%1”?</source>
   <translation>Meinten Sie „%1“?</translation>
  </message>
  <message>
   <source>No op has “%1”. Did you mean “%2”?</source>
   <translation>Keine Operation hat „%1“. Meinten Sie „%2“?</translation>
  </message>
  <message>
   <source>There is no plan with its costs yet.</source>
   <translation>Es gibt noch keinen Plan mit seinen Kosten.</translation>
  </message>
  <message>
   <source>Looking for a plan</source>
   <translation>Ein Plan wird gesucht</translation>
  </message>
  <message>
   <source>Take the plan for %1</source>
   <translation>Den Plan für %1 übernehmen</translation>
  </message>
  <message>
   <source>&amp;This panel</source>
   <translation>&amp;Dieses Feld</translation>
  </message>
  <message>
   <source>What the panel that has the keyboard is for</source>
   <translation>Wozu das Feld dient, das die Tastatur hat</translation>
  </message>
  <message>
   <source>T&amp;our</source>
   <translation>&amp;Rundgang</translation>
  </message>
  <message>
   <source>Three steps through the window</source>
   <translation>In drei Schritten durch das Fenster</translation>
  </message>
  <message>
   <source>Pr&amp;eferences…</source>
   <translation>&amp;Einstellungen…</translation>
  </message>
  <message>
   <source>Theme, language, text size, what new plans are made for</source>
   <translation>Farbschema, Sprache, Schriftgröße, wofür neue Pläne gemacht werden</translation>
  </message>
  <message>
   <source>Help</source>
   <translation>Hilfe</translation>
  </message>
  <message>
   <source>What this panel is for</source>
   <translation>Wozu dieses Feld dient</translation>
  </message>
  <message>
   <source>All keys (?)</source>
   <translation>Alle Tasten (?)</translation>
  </message>
  <message>
   <source>The tour begins when a model is open: choose one of the examples, for a start.</source>
   <translation>Der Rundgang beginnt, sobald ein Modell offen ist: wählen Sie für den Anfang eines der Beispiele.</translation>
  </message>
  <message>
   <source>The model, and where it is cut</source>
   <translation>Das Modell, und wo es geteilt ist</translation>
  </message>
  <message>
   <source>Boxes are modules: a double click opens one. Bands are stages, and the lines between them boundaries, which the program has placed where no better place is known. Drag one: all figures follow.</source>
   <translation>Kästen sind Module: ein Doppelklick öffnet sie. Bänder sind Stufen, die Linien dazwischen Grenzen; das Programm hat sie dorthin gesetzt, wo keine bessere Stelle bekannt ist. Ziehen Sie an einer: alle Zahlen folgen.</translation>
  </message>
  <message>
   <source>What each stage takes</source>
   <translation>Was jede Stufe braucht</translation>
  </message>
  <message>
   <source>Time and memory of each stage, and below how far this plan can be from the best. Device, schedule and memory limit are chosen under Plan, beside it.</source>
   <translation>Zeit und Speicher jeder Stufe, und darunter, wie weit dieser Plan vom besten entfernt sein kann. Gerät, Ablauf und Speichergrenze wählt man daneben unter Plan.</translation>
  </message>
  <message>
   <source>Stages that run</source>
   <translation>Stufen, die laufen</translation>
  </message>
  <message>
   <source>Writes the stages as PyTorch modules, with what trains them under torchrun. F1 explains the panel that has the keyboard; Ctrl+K finds every command.</source>
   <translation>Schreibt die Stufen als PyTorch-Module, mit allem, um sie unter torchrun zu trainieren. F1 erklärt das Feld, das die Tastatur hat; Strg+K findet jeden Befehl.</translation>
  </message>
  <message>
   <source>Graph and charts</source>
   <translation>Graph und Kurven</translation>
  </message>
  <message>
   <source>Scroll</source>
   <translation>Verschieben</translation>
  </message>
  <message>
   <source>wheel, Shift+wheel, middle drag</source>
   <translation>Rad, Umschalt+Rad, mit der Mitte ziehen</translation>
  </message>
  <message>
   <source>Zoom at the pointer</source>
   <translation>Am Zeiger vergrößern</translation>
  </message>
  <message>
   <source>Ctrl+wheel</source>
   <translation>Strg+Rad</translation>
  </message>
  <message>
   <source>Zoom to an area</source>
   <translation>Auf einen Bereich vergrößern</translation>
  </message>
  <message>
   <source>Ctrl+drag</source>
   <translation>Strg+Ziehen</translation>
  </message>
  <message>
   <source>Open or close a box</source>
   <translation>Einen Kasten öffnen oder schließen</translation>
  </message>
  <message>
   <source>double click, Enter; Alt: all below</source>
   <translation>Doppelklick, Eingabe; Alt: alle darin</translation>
  </message>
  <message>
   <source>The box around</source>
   <translation>Der Kasten darum</translation>
  </message>
  <message>
   <source>Backspace</source>
   <translation>Rücktaste</translation>
  </message>
  <message>
   <source>Walk along edges</source>
   <translation>Entlang der Kanten gehen</translation>
  </message>
  <message>
   <source>arrows</source>
   <translation>Pfeile</translation>
  </message>
  <message>
   <source>From edge to edge of an op; then Up, Down to its ends</source>
   <translation>Von Kante zu Kante einer Operation; dann Auf, Ab zu ihren Enden</translation>
  </message>
  <message>
   <source>N, Shift+N</source>
   <translation>N, Umschalt+N</translation>
  </message>
  <message>
   <source>The op before, after</source>
   <translation>Die Operation davor, danach</translation>
  </message>
  <message>
   <source>To the top, to the bottom</source>
   <translation>Zum Anfang, zum Ende</translation>
  </message>
  <message>
   <source>Home, End</source>
   <translation>Pos1, Ende</translation>
  </message>
  <message>
   <source>Begin a stage here</source>
   <translation>Hier eine Stufe beginnen</translation>
  </message>
  <message>
   <source>double click beside the graph</source>
   <translation>Doppelklick neben dem Graphen</translation>
  </message>
  <message>
   <source>Select an area</source>
   <translation>Einen Bereich auswählen</translation>
  </message>
  <message>
   <source>Shift+drag; in charts: drag</source>
   <translation>Umschalt+Ziehen; in Kurven: Ziehen</translation>
  </message>
  <message>
   <source>Send ops or a box to another stage</source>
   <translation>Operationen oder einen Kasten an eine andere Stufe geben</translation>
  </message>
  <message>
   <source>drag them over the boundary</source>
   <translation>über die Grenze ziehen</translation>
  </message>
  <message>
   <source>Move a boundary</source>
   <translation>Eine Grenze verschieben</translation>
  </message>
  <message>
   <source>drag it; Up, Down in the graph, Left, Right in charts</source>
   <translation>ziehen; Auf, Ab im Graphen, Links, Rechts in Kurven</translation>
  </message>
  <message>
   <source>… by a module, to the best place nearby</source>
   <translation>… um ein Modul, an die beste Stelle in der Nähe</translation>
  </message>
  <message>
   <source>Shift, Ctrl with the arrows</source>
   <translation>Umschalt, Strg mit den Pfeilen</translation>
  </message>
  <message>
   <source>… without being drawn to good places</source>
   <translation>… ohne zu guten Stellen gezogen zu werden</translation>
  </message>
  <message>
   <source>Alt while dragging</source>
   <translation>Alt beim Ziehen</translation>
  </message>
  <message>
   <source>Give up a drag</source>
   <translation>Ein Ziehen abbrechen</translation>
  </message>
  <message>
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
  <message>
   <source>Move a boundary in the table of stages</source>
   <translation>Eine Grenze in der Tabelle der Stufen verschieben</translation>
  </message>
  <message>
   <source>Alt+Up, Alt+Down</source>
   <translation>Alt+Auf, Alt+Ab</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>Tasten</translation>
  </message>
  <message>
   <source>Keys and what they do</source>
   <translation>Tasten und was sie tun</translation>
  </message>
  <message>
   <source>As the desktop</source>
   <translation>Wie der Desktop</translation>
  </message>
  <message>
   <source>Number of stages</source>
   <translation>Anzahl der Stufen</translation>
  </message>
  <message>
   <source>How many stages to split the model into</source>
   <translation>In wie viele Stufen das Modell geteilt wird</translation>
  </message>
  <message>
   <source>Detail</source>
   <translation>Detail</translation>
  </message>
  <message>
   <source>How many boxes are open, the most expensive first</source>
   <translation>Wie viele Kästen offen sind, die teuersten zuerst</translation>
  </message>
  <message>
   <source>Colour by</source>
   <translation>Farbe nach</translation>
  </message>
  <message>
   <source>More detail</source>
   <translation>Mehr Detail</translation>
  </message>
  <message>
   <source>Less detail</source>
   <translation>Weniger Detail</translation>
  </message>
  <message>
   <source>Main bar</source>
   <translation>Hauptleiste</translation>
  </message>
  <message>
   <source>Stagecraft</source>
   <translation>Stagecraft</translation>
  </message>
  <message>
   <source>Graph</source>
   <translation>Graph</translation>
  </message>
  <message>
   <source>Saved %1</source>
   <translation>%1 gespeichert</translation>
  </message>
  <message>
   <source>No better split was found; this one is %1.</source>
   <translation>Keine bessere Aufteilung gefunden; diese ist %1.</translation>
  </message>
  <message>
   <source>on</source>
   <translation>an</translation>
  </message>
  <message>
   <source>off</source>
   <translation>aus</translation>
  </message>
  <message>
   <source>Go to</source>
   <translation>Gehe zu</translation>
  </message>
  <message>
   <source>Module</source>
   <translation>Modul</translation>
  </message>
  <message>
   <source>Setting, as it is now</source>
   <translation>Einstellung, wie sie jetzt ist</translation>
  </message>
  <message>
   <source>Setting</source>
   <translation>Einstellung</translation>
  </message>
  <message>
   <source>The model as it runs, from top to bottom: a box is a module or an op, a band a stage, the line between two bands a boundary.</source>
   <translation>Das Modell, wie es läuft, von oben nach unten: ein Kasten ist ein Modul oder eine Operation, ein Band eine Stufe, die Linie zwischen zwei Bändern eine Grenze.</translation>
  </message>
  <message>
   <source>Double click a box to open or close it. Drag a boundary to move it, or ops over it to send them to another stage. The wheel scrolls, Ctrl+wheel zooms, 0 shows all. A right click offers what can be done to what is under it.</source>
   <translation>Ein Doppelklick öffnet oder schließt einen Kasten. Ziehen verschiebt eine Grenze; Operationen, die man über sie zieht, gehen in die andere Stufe. Das Rad verschiebt, Strg+Rad vergrößert, 0 zeigt alles. Ein Rechtsklick bietet an, was mit dem getan werden kann, worauf man zeigt.</translation>
  </message>
  <message>
   <source>The modules of the model as a tree, with their time, memory and stages.</source>
   <translation>Die Module des Modells als Baum, mit Zeit, Speicher und Stufen.</translation>
  </message>
  <message>
   <source>Click a title to sort: the most expensive first. What is selected is shown in the graph; a right click sends it to another stage or keeps it together.</source>
   <translation>Ein Klick auf einen Titel sortiert: das Teuerste zuerst. Ausgewähltes wird im Graphen gezeigt; ein Rechtsklick gibt es an eine andere Stufe oder hält es zusammen.</translation>
  </message>
  <message>
   <source>What each stage takes: its time, its memory against what the device has, what it sends. Below stand the step of all and how far the plan can be from the best.</source>
   <translation>Was jede Stufe braucht: ihre Zeit, ihr Speicher gegen den des Geräts, was sie sendet. Darunter stehen der Schritt aller und wie weit der Plan vom besten entfernt sein kann.</translation>
  </message>
  <message>
   <source>Alt+Up and Alt+Down move the boundary below the chosen stage; a double click shows the stage's code.</source>
   <translation>Alt+Auf und Alt+Ab verschieben die Grenze unter der gewählten Stufe; ein Doppelklick zeigt den Code der Stufe.</translation>
  </message>
  <message>
   <source>What the plan is made for: device, stages, microbatches, schedule, precision, memory limit, recomputation.</source>
   <translation>Wofür der Plan gemacht ist: Gerät, Stufen, Mikrobatches, Ablauf, Genauigkeit, Speichergrenze, Neuberechnung.</translation>
  </message>
  <message>
   <source>Figures follow each change; Ctrl+Enter searches for the best split. Each choice is one step of undo.</source>
   <translation>Die Zahlen folgen jeder Änderung; Strg+Eingabe sucht die beste Aufteilung. Jede Wahl ist ein Schritt von Rückgängig.</translation>
  </message>
  <message>
   <source>Memory against time</source>
   <translation>Speicher gegen Zeit</translation>
  </message>
  <message>
   <source>What recomputation would cost for a smaller limit of memory.</source>
   <translation>Was Neuberechnung bei einer kleineren Speichergrenze kosten würde.</translation>
  </message>
  <message>
   <source>Figures follow while the slider is moved; letting go is one step of undo.</source>
   <translation>Die Zahlen folgen dem Schieber; Loslassen ist ein Schritt von Rückgängig.</translation>
  </message>
  <message>
   <source>Constraints</source>
   <translation>Vorgaben</translation>
  </message>
  <message>
   <source>What holds whatever is searched for: pins, ops kept together, locks, limits.</source>
   <translation>Was bei jeder Suche gilt: Geheftetes, Zusammengehaltenes, Gesperrtes, Grenzen.</translation>
  </message>
  <message>
   <source>Delete what should hold no longer.</source>
   <translation>Löschen, was nicht mehr gelten soll.</translation>
  </message>
  <message>
   <source>Why no faster</source>
   <translation>Warum nicht schneller</translation>
  </message>
  <message>
   <source>Why the slowest stage is slow, what no plan can beat, and the changes that would help with what each would gain.</source>
   <translation>Warum die langsamste Stufe langsam ist, was kein Plan unterbieten kann, und welche Änderungen wie viel helfen würden.</translation>
  </message>
  <message>
   <source>Apply a change by its button; undo takes it back.</source>
   <translation>Eine Änderung über ihren Knopf anwenden; Rückgängig nimmt sie zurück.</translation>
  </message>
  <message>
   <source>The Python code of a stage as it is exported, each line with what it costs.</source>
   <translation>Der Python-Code einer Stufe, wie er exportiert wird, jede Zeile mit ihren Kosten.</translation>
  </message>
  <message>
   <source>A click on a line selects its op in all panels. The code follows each move of a boundary.</source>
   <translation>Ein Klick auf eine Zeile wählt ihre Operation in allen Feldern. Der Code folgt jeder Bewegung einer Grenze.</translation>
  </message>
  <message>
   <source>All that is known of what is selected: shapes, costs and where they come from, what it reads and gives, its line in the model's source.</source>
   <translation>Alles, was vom Ausgewählten bekannt ist: Formen, Kosten und ihre Herkunft, was es liest und gibt, seine Zeile im Quelltext des Modells.</translation>
  </message>
  <message>
   <source>Follow the links from op to op; Alt+Left goes back.</source>
   <translation>Den Verweisen von Operation zu Operation folgen; Alt+Links geht zurück.</translation>
  </message>
  <message>
   <source>Memory, time, and the bytes that a boundary at each place would send, along the order in which ops run.</source>
   <translation>Speicher, Zeit und die Bytes, die eine Grenze an jeder Stelle senden würde, in der Reihenfolge der Operationen.</translation>
  </message>
  <message>
   <source>Drag a boundary: it is drawn to places that send little. Drag elsewhere to select ops; the wheel moves along, Ctrl+wheel zooms.</source>
   <translation>Eine Grenze ziehen: sie rastet ein, wo wenig gesendet wird. Anderswo ziehen wählt Operationen; das Rad verschiebt, Strg+Rad vergrößert.</translation>
  </message>
  <message>
   <source>A training step on all devices as a timeline: forward, backward, waiting.</source>
   <translation>Ein Trainingsschritt auf allen Geräten als Zeitleiste: vorwärts, rückwärts, Warten.</translation>
  </message>
  <message>
   <source>Point at a slot for what it is. Ctrl+wheel zooms. File &gt; Open measured step lays a real run over it.</source>
   <translation>Auf einen Abschnitt zeigen, um zu sehen, was er ist. Strg+Rad vergrößert. Datei &gt; Gemessenen Schritt öffnen legt einen echten Lauf darüber.</translation>
  </message>
  <message>
   <source>What the memory of each device is made of at its peak, and what is alive then.</source>
   <translation>Woraus der Speicher jedes Geräts auf seinem Höhepunkt besteht und was dann lebt.</translation>
  </message>
  <message>
   <source>A click on a tensor selects the op that makes it; Find largest batch says how much more would fit.</source>
   <translation>Ein Klick auf einen Tensor wählt die Operation, die ihn macht; Größten Batch finden sagt, wie viel mehr passen würde.</translation>
  </message>
  <message>
   <source>The best plan for every number of stages, beside each other.</source>
   <translation>Der beste Plan für jede Zahl von Stufen, nebeneinander.</translation>
  </message>
  <message>
   <source>Ask for it by its button; a double click on a row takes that plan.</source>
   <translation>Über den Knopf danach fragen; ein Doppelklick auf eine Zeile übernimmt den Plan.</translation>
  </message>
  <message>
   <source>Plans of as many stages that give up time for memory or for bytes sent.</source>
   <translation>Pläne mit ebenso vielen Stufen, die Zeit gegen Speicher oder gesendete Bytes tauschen.</translation>
  </message>
  <message>
   <source>Ask for them by the button; a double click on a row takes that plan.</source>
   <translation>Über den Knopf danach fragen; ein Doppelklick auf eine Zeile übernimmt den Plan.</translation>
  </message>
  <message>
   <source>Every op in a table with what it costs, or those that are looked for.</source>
   <translation>Jede Operation in einer Tabelle mit ihren Kosten, oder die gesuchten.</translation>
  </message>
  <message>
   <source>Click a title to sort, filter by the field above, select several for their sums; copy them or save them as a table by a right click.</source>
   <translation>Ein Klick auf einen Titel sortiert, das Feld darüber filtert, mehrere Zeilen geben ihre Summe; ein Rechtsklick kopiert sie oder speichert sie als Tabelle.</translation>
  </message>
  <message>
   <source>Parameters, memory or time of the model by module: the larger the area, the more.</source>
   <translation>Parameter, Speicher oder Zeit des Modells nach Modulen: je größer die Fläche, desto mehr.</translation>
  </message>
  <message>
   <source>A click selects the module in all panels.</source>
   <translation>Ein Klick wählt das Modul in allen Feldern.</translation>
  </message>
  <message>
   <source>The memory of every stage over a whole training step, by what it holds.</source>
   <translation>Der Speicher jeder Stufe über einen ganzen Trainingsschritt, nach dem, was er enthält.</translation>
  </message>
  <message>
   <source>Point at a moment for what is alive then.</source>
   <translation>Auf einen Zeitpunkt zeigen, um zu sehen, was dann lebt.</translation>
  </message>
  <message>
   <source>Every plan that was tried, with its figures and how it arose.</source>
   <translation>Jeder versuchte Plan mit seinen Zahlen und wie er entstand.</translation>
  </message>
  <message>
   <source>Return to any of them in one step of undo, keep it by a star, or compare with it as B.</source>
   <translation>Zu jedem in einem Schritt von Rückgängig zurückkehren, ihn mit einem Stern behalten oder als B vergleichen.</translation>
  </message>
  <message>
   <source>Recompute the selection</source>
   <translation>Die Auswahl neu berechnen</translation>
  </message>
  <message>
   <source>Keep no activations of what is selected: backward runs it again</source>
   <translation>Keine Aktivierungen der Auswahl behalten: rückwärts läuft sie noch einmal</translation>
  </message>
  <message>
   <source>Recompute every module of its class</source>
   <translation>Jedes Modul seiner Klasse neu berechnen</translation>
  </message>
  <message>
   <source>Keep no activations of any module of the class that is selected</source>
   <translation>Keine Aktivierungen der Module der gewählten Klasse behalten</translation>
  </message>
  <message>
   <source>Never recompute the selection</source>
   <translation>Die Auswahl nie neu berechnen</translation>
  </message>
  <message>
   <source>Keep what backward needs of what is selected instead of running it again</source>
   <translation>Behalten, was rückwärts von der Auswahl gebraucht wird, statt sie noch einmal laufen zu lassen</translation>
  </message>
  <message>
   <source>Recompute %1</source>
   <translation>%1 neu berechnen</translation>
  </message>
  <message>
   <source>Never recompute %1</source>
   <translation>%1 nie neu berechnen</translation>
  </message>
  <message>
   <source>every %1</source>
   <translation>jedes %1</translation>
  </message>
  <message numerus="yes">
   <source>%n op(s)</source>
   <translation>
    <numerusform>%n Operation</numerusform>
    <numerusform>%n Operationen</numerusform>
   </translation>
  </message>
  <message>
   <source>Re&amp;compute %1</source>
   <translation>%1 neu be&amp;rechnen</translation>
  </message>
  <message>
   <source>Re&amp;compute selection</source>
   <translation>Auswahl neu be&amp;rechnen</translation>
  </message>
  <message>
   <source>Recomp&amp;ute %1</source>
   <translation>%1 neu bere&amp;chnen</translation>
  </message>
  <message>
   <source>Recomp&amp;ute every module of its class</source>
   <translation>Jedes Modul seiner Klasse neu bere&amp;chnen</translation>
  </message>
  <message>
   <source>Ne&amp;ver recompute %1</source>
   <translation>%1 n&amp;ie neu berechnen</translation>
  </message>
  <message>
   <source>Ne&amp;ver recompute selection</source>
   <translation>Auswahl n&amp;ie neu berechnen</translation>
  </message>
  <message>
   <source>Writing the report</source>
   <translation>Der Bericht wird geschrieben</translation>
  </message>
  <message>
   <source>no model was opened</source>
   <translation>es wurde kein Modell geöffnet</translation>
  </message>
  <message>
   <source>%1: cannot be written</source>
   <translation>%1: kann nicht geschrieben werden</translation>
  </message>
  <message>
   <source>%1, so there is nothing to go on with. Open it from where it is now.</source>
   <translation>%1, daher gibt es nichts zum Weitermachen. Öffnen Sie es von dort, wo es jetzt ist.</translation>
  </message>
  <message>
   <source>No longer keep the stage</source>
   <translation>Die Stufe nicht mehr festhalten</translation>
  </message>
  <message>
   <source>Keep the stage as it is</source>
   <translation>Die Stufe lassen, wie sie ist</translation>
  </message>
  <message>
   <source>Modules as blocks</source>
   <translation>Module als Blöcke</translation>
  </message>
  <message>
   <source>How many levels below the model itself: each module there is in one stage</source>
   <translation>Wie viele Ebenen unter dem Modell: jedes Modul dort bleibt in einer Stufe</translation>
  </message>
  <message>
   <source>module</source>
   <translation>Modul</translation>
  </message>
  <message>
   <source>module of its class</source>
   <translation>Modul seiner Klasse</translation>
  </message>
  <message>
   <source>Treat %1 as one &amp;block</source>
   <translation>%1 als einen Bloc&amp;k behandeln</translation>
  </message>
  <message>
   <source>Treat e&amp;very %1 as a block</source>
   <translation>&amp;Jedes %1 als Block behandeln</translation>
  </message>
  <message>
   <source>Profiling for %1</source>
   <translation>Kosten werden ermittelt für %1</translation>
  </message>
  <message>
   <source>Selection</source>
   <translation>Auswahl</translation>
  </message>
  <message>
   <source>Stages and devices</source>
   <translation>Stufen und Geräte</translation>
  </message>
  <message>
   <source>Slowest stage</source>
   <translation>Langsamste Stufe</translation>
  </message>
  <message>
   <source>Bound</source>
   <translation>Schranke</translation>
  </message>
  <message>
   <source>Operators in the model; hidden ones compute nothing and are not drawn</source>
   <translation>Operationen im Modell; verborgene berechnen nichts und werden nicht gezeichnet</translation>
  </message>
  <message>
   <source>What is selected; ops are numbered in the order in which they run</source>
   <translation>Was ausgewählt ist; Operationen sind in der Reihenfolge nummeriert, in der sie laufen</translation>
  </message>
  <message>
   <source>The device that takes longest for one microbatch sets the pace of all; how far it is above the mean of all devices is what balancing could gain at most</source>
   <translation>Das Gerät, das für einen Mikrobatch am längsten braucht, bestimmt das Tempo aller; wie weit es über dem Mittel liegt, ist der größtmögliche Gewinn durch Ausgleichen</translation>
  </message>
  <message>
   <source>What the plan is made for; a click shows where it is chosen</source>
   <translation>Wofür der Plan gemacht ist; ein Klick zeigt, wo man es wählt</translation>
  </message>
  <message>
   <source>, %1 hidden</source>
   <translation>, %1 verborgen</translation>
  </message>
  <message>
   <source>does not fit into memory</source>
   <translation>passt nicht in den Speicher</translation>
  </message>
  <message>
   <source>%1 selected</source>
   <translation>%1 ausgewählt</translation>
  </message>
  <message>
   <source>%1 (op %2)</source>
   <translation>%1 (Operation %2)</translation>
  </message>
  <message>
   <source>slowest: %1, %2</source>
   <translation>langsamste: %1, %2</translation>
  </message>
  <message>
   <source> (%1 above the mean)</source>
   <translation> (%1 über dem Mittel)</translation>
  </message>
  <message>
   <source>Colour ops by: %1</source>
   <translation>Operationen färben nach: %1</translation>
  </message>
  <message>
   <source>Show %1</source>
   <translation>%1 zeigen</translation>
  </message>
  <message>
   <source>The plan was made for other times of the ops.</source>
   <translation>Der Plan wurde für andere Zeiten der Operationen gemacht.</translation>
  </message>
  <message>
   <source>This plan was edited before, and not saved.</source>
   <translation>Dieser Plan wurde früher geändert und nicht gespeichert.</translation>
  </message>
  <message>
   <source>A plan of this model was edited before, and not saved.</source>
   <translation>Ein Plan dieses Modells wurde früher geändert und nicht gespeichert.</translation>
  </message>
  <message>
   <source>The first NaN or infinity is made by %1 (%2)</source>
   <translation>Das erste NaN oder Unendlich entsteht bei %1 (%2)</translation>
  </message>
  <message>
   <source>The first NaN or infinity of the backward pass is made by %1 (%2)</source>
   <translation>Das erste NaN oder Unendlich rückwärts entsteht bei %1 (%2)</translation>
  </message>
  <message>
   <source> in %1</source>
   <translation> in %1</translation>
  </message>
  <message>
   <source>Show it</source>
   <translation>Zeigen</translation>
  </message>
  <message>
   <source>Delete a constraint</source>
   <translation>Eine Vorgabe löschen</translation>
  </message>
  <message>
   <source>Delete %1 constraints</source>
   <translation>%1 Vorgaben löschen</translation>
  </message>
  <message>
   <source>What the colours of the graph stand for</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Legend</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Stage</source>
   <translation>Stufe</translation>
  </message>
  <message>
   <source>Colours stand for %1 stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1: dark is %2, bright is %3</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Completions</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Find ops: name, op:linear, time&gt;1ms</source>
   <translation>Suchen: Name, op:linear, time&gt;1ms</translation>
  </message>
  <message>
   <source>Find</source>
   <translation>Suchen</translation>
  </message>
  <message>
   <source>Enter shows the next match, Shift+Enter the one before; Tab completes</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>none</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 of %2</source>
   <translation>%1 von %2</translation>
  </message>
  <message>
   <source>No matches</source>
   <translation>Keine Treffer</translation>
  </message>
  <message>
   <source>%1 matches</source>
   <translation>%1 Treffer</translation>
  </message>
  <message>
   <source>%1%2 pts</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>proven optimal</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>proven within %1 of optimal</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>1 stage</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 on 1 device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 on %2 devices</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>step %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>slowest device %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>A step of all microbatches takes %1, by simulating the schedule. No plan with as many stages, on these devices and within these limits, takes less than %2.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The slowest device takes %1 for one microbatch. No plan with as many stages, on these devices and within these limits, can have a slowest device faster than %2 (proven by: %3).</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 NaN</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 infinite</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>mean %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>std %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>largest %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 zeros</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>1 op</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 ops</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>estimated</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>not exact</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>measured</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>imported</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>mixed</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>times measured</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>times imported</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>not exact: %1 costed by size</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Note</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Warning</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Error</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Messages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Copy the message</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Close all</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Dismiss all messages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Dismiss (Esc)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Dismiss the message</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Details of the message</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 (%2 times)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 more</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Searching</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 min %2 s</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Running job</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Progress</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Cancel (Esc)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Cancel the job</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Cancelling %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Stage %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Memory of each stage, without others on its device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Memory of each stage's device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>, limit %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>; dotted: if nothing ran again, up to %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 · %2 held</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source> · %1 if nothing ran again</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source> · its region takes %1 while it does</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Time of each op: forward up, backward down</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Time of each op</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>; %1 taller than the scale cut off (//)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>forward %1 · backward %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Bytes across a boundary, both ways, for one microbatch</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Bytes across a boundary, for one microbatch</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 before it</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Memory, time and bytes across a boundary appear here once the model is profiled.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Memory, time and bytes across a boundary along the execution order</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Charts along the execution order</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Brackets choose a boundary, arrow keys move it; the stages table shows the same figures</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>by op</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>by time</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Execution axis</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Number the ops, or give each its time: then an even split has even lines</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Compare 1 to 16 stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What do more devices bring? The best plan for each number of stages, with its time, memory and bubble.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Plans for every number of stages can be compared here once a model is profiled.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The best plan for every number of stages; Enter adopts one</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Plans by number of stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The table beside it has the same figures</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Slowest device, for one microbatch; below it what no plan can beat</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Peak memory of the fullest device; hollow: over the limit</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Bubble: share of all devices' time in which they wait</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>to come</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>no plan</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>over the limit</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How many stages, as many to each device as now; starred where no other number is better in time, memory and bytes sent together</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Slowest device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What the slowest device takes for one microbatch: it sets the pace</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Speed-up</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How many times faster a training step is than on one device, and what share of that many devices' time it uses</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Peak memory</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The most that any of the devices holds at once</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Bubble</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The share of all devices' time in which they wait</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Quality</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How far the plan can be from the best of that many stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>allocated %1, reserved %2, on the device %3</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Memory at the peak by category</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>free on the device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What a training step holds in memory appears here once a model is profiled.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What a step of the whole model holds on one device, and at its peak</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Looks for the largest batch with which a step of the whole model stays within the device's memory</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>by category</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>by module</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How memory is listed</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Alive at the peak</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Bytes</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Share</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What is alive at the peak</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Find largest batch</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How large may the batch be?</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>A training step of the whole model</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>An inference of the whole model</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>fits on one %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>does not fit on one %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>&lt;b&gt;%1&lt;/b&gt; allocated · &lt;b&gt;%2&lt;/b&gt; reserved · &lt;b&gt;%3&lt;/b&gt; on the device, of %4</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source> · &lt;b&gt;not exact&lt;/b&gt;</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Allocated: tensors, each rounded up to 512 bytes.
Reserved: what PyTorch's caching allocator takes from the device to serve them.
On the device: with what the driver's context takes.
First step: %1.
Later steps: %2.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Peak: %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>and %1 more</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>the step itself</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>of no op</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>inputs, the loss</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>run again</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 of %2 (%3)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>No input of this model has a batch dimension.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Not even a batch of 1 fits.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>At most %1 in a batch: %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source> (the file fixes the batch: what the step adds is taken to grow with it)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source> (the file allows no more)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Time</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Memory at the peak</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Kept for backward</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Parameters</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What each module takes appears here once the model is profiled.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Where time and memory go, by module</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Treemap</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Flame graph</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Shape</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What sizes stand for</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Which module is shown</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Nothing of this model takes any: choose another measure.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Modules</source>
   <translation>Module</translation>
  </message>
  <message>
   <source>What each module takes of the model, as boxes within boxes</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>own ops</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1: ops of no module below</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>several stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1
%2: %3, %4 of all
%5, %6</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source> (own ops)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Save picture…</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Save the picture</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>PDF (*.pdf)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>PNG (*.png)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Save series…</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Save the series</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Comma-separated values (*.csv)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>transfer</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>decides the step</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Take the step below away</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The timeline of a step, a row a device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>below, B: %1: %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>below, measured: %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>B shows again without it</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The timeline of a step shows here once there is a plan.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>forward</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>backward</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>gradients of inputs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>gradients of weights</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>step %1, bubble %2: schedule %3, imbalance %4, transfers %5</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1: %2 of microbatch %3
%4, from %5</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
before it %1 of receiving</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
runs as one with the action behind it</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
after it %1 of sending</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Device %1 holds %2 at %3, %4 at most</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>, its limit is %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>all stages take %1 times as long</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>waiting, and microbatches that differ</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>waiting: sends, and microbatches that differ</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>before the first action and after the last</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>sends</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 is slower than others</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 is faster than others</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1, as planned</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1, %2 shorter than planned: %3</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1, %2 longer than planned: %3</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>measured %1, from %2: %3 %4, %5 %6</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>shorter</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>longer</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>earlier</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>later</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Kept for other microbatches</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What a step holds at every moment appears here once the model is profiled.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What is alive over a whole step, by category</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Whose memory</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Memory over the step</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Alive then</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What is alive then</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Whole model on one device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1: %2 alive</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Peak %2 at %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Step</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The simulated time of a whole step, all microbatches</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What the slowest device takes for one microbatch</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Sent</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Bytes sent between stages for one microbatch</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How far the plan can be from the best that gives up nothing</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Asked for</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What the search was asked for to get this plan</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Does not fit into memory</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Find trade-offs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What would a little more time save? Plans of as many stages that need less memory or send less.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Plans that trade time for memory or for bytes sent can be found here once a model is profiled.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Plans none of which is the best in time, memory and bytes sent; Enter adopts one</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Plans that trade time for memory or bytes</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>1 line</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 lines</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>⋯ %1 alike</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The code is the same: %1, %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 only in %2 (−), %3 only in %4 (+)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Lines of the code that differ</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The code of two plans is compared here once both have some.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Code compared</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1: the same code</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1: the code differs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Python code of the stage</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>the code before</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>the code now</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>1 value</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 values</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>  and %1 more</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 and %2 more</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Time: %1 forward, %2 backward</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Makes %1; keeps %2 for the backward pass</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Values</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Gradient</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Takes %1 from the caller</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Receives %1 from stage %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Returns %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Sends %1 to stage %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Copy page</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Save page…</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Short lines</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Lines that fit the view; an export writes them as they are without</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Fold modules</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Unfold all</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Code of the stage</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Differences from before the last move</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Source of the model</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Save the page</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Python (*.py)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Differences (*.diff)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>updating</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The code of each stage appears here once the model is split.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Python code of each stage with the cost of every line</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>cost</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>statistics</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Beside the lines</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What stands beside the lines. Cost: the op's time and the bytes it makes. Statistics: the standard deviation of its values (-&gt;) and of their gradient (&lt;-) in a real training step on this machine</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Copy, save and more</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 of %2, stage_%3.py when exported</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1:%2 in %3</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1, line %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Line of the source, from the innermost call outwards</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Select an op to see the line of the model that it comes from.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The model's file does not say where %1 comes from: it was exported without the lines of its source.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
The export wrote down: %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1
This file is not on this machine; put a copy beside the model's file to see it.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
The file has changed since the export.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>This boundary is locked; L unlocks it</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>This boundary cannot move: what is beside it belongs together</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1, %2 elsewhere</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Drop it in another stage to send it there</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 to stage %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 would move</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>, %1 of them must follow</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Where the selection is</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Go to this box</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Selected: %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Nothing selected</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 ops selected</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Overview of the model</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The whole model in the order of running, how long its ops take, and what the graph shows</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The graph shows ops %1 to %2 of %3</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Keep the graph where it is</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The graph goes to what is selected elsewhere; pressed, it stays where it is</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Laying out the graph ...</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source> · %1 of the model, %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Total</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Forward</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Backward</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Of it run again</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Work</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Traffic</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Makes</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>While it runs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Buffers</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Parts</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source> (bias)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>In a real step</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The first NaN or infinity is made here: all it reads is finite.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The first NaN or infinity of the backward pass is made here.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Reads</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Gives %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Strides</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Read by</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Returned</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>by the model</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Source</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Op</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>selected</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>and %1 more kinds</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What is known of the selected operators</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Details of the selection</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Select an operator or a module to see what it costs, reads and gives.</source>
   <translation>Wählen Sie eine Operation oder ein Modul, um zu sehen, was es kostet, liest und gibt.</translation>
  </message>
  <message>
   <source>Copied: %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>found</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
Forward %1, backward %2: %3 of the model</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
Keeps %1 for backward, has %2 of parameters</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Bytes that are kept from forward for backward</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Open a model to see its modules.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Modules and operators; sends them to other stages with the keyboard</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Filter by name, class or operator</source>
   <translation>Nach Name, Klasse oder Operation filtern</translation>
  </message>
  <message>
   <source>Filter modules</source>
   <translation>Module filtern</translation>
  </message>
  <message>
   <source>Show in the graph</source>
   <translation>Im Graphen zeigen</translation>
  </message>
  <message>
   <source>Split before it</source>
   <translation>Davor teilen</translation>
  </message>
  <message>
   <source>Split after it</source>
   <translation>Danach teilen</translation>
  </message>
  <message>
   <source>Send to the previous stage</source>
   <translation>An die vorige Stufe geben</translation>
  </message>
  <message>
   <source>Send to the next stage</source>
   <translation>An die nächste Stufe geben</translation>
  </message>
  <message>
   <source>Open a model to see its operators.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Operators listed</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Sums of what is selected</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>All operators with what they cost, or those that are looked for</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 of %2 are what you look for</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1; what is typed into Find is listed here alone</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Commands</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Type a command, a module, a stage, a setting</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Command</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Up and Down choose, Enter does it</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Commands that match</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Duplicate</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Import…</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Delete…</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Use for the plan</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Devices</source>
   <translation>Geräte</translation>
  </message>
  <message>
   <source>A device of your own with these figures, to be changed</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>A device file, such as “stagecraft-cli calibrate” writes</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What is wrong with the device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 (own)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>It comes with Stagecraft: duplicate it to change figures.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Save the changes, or close to drop them.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Import a device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Device files (*.json);;All files (*)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Delete %1 for good?</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Drop the changes of the device?</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Output</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Input gradient</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Buffer</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Weight</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>File</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 of %2 tensors differ from the whole model's</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The stages compute what the whole model computes; largest difference %1, relative %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Python code and safetensors</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>.pt2 of each stage</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>TorchScript of each stage</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Verify afterwards</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Replace the export that is in this folder</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Files that will be written</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Tensor</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Kind</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Difference</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Relative</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Result</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Comparison with the whole model</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Export</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Verify</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Open folder</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Export stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Folder</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Folder to write into; made if it is not there</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>For torch.jit.load(), in C++ too</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source> GB</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Weights in one file</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How much of a stage's weights one .safetensors file has at most; over it there are several, with an index</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Runs the stages one after another and compares outputs and gradients with the whole model's: the .pt2 files where there are some, else the code, in Python. TorchScript is not run</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The output that pipeline.py goes back from in a training step</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>As the model returns it</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 of it and a target</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Function of the loss</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>A function of torch.nn.functional that the output and the target of each step are fed to</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What is exported otherwise than asked</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Choose the folder</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>of weights in one file at most</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Write</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Export %1 in %2 stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 files, %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Written to %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>differs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>within tolerance</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>equal</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 tensors compared</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Folder for the stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The order of the stages' work: a file for _load_csv() of a schedule of torch.distributed.pipelining</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Lines of the configuration of a training job (*.toml)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Lines of the configuration of a training job (*.toml) with graph_pp</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Arguments of the training script</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The layers of a PipelineModule in their order, and where each part begins</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>A list of lists: the names of the modules that each stage runs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Use that plan</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Copy</source>
   <translation>Kopieren</translation>
  </message>
  <message>
   <source>Save…</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The plan for other frameworks</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Framework</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What is in the way</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The plan as it is read there</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The plan of the window becomes this one; Undo brings the other back</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>For</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The plan of %1 for other frameworks</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Looking for the nearest plan that can be said there</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The plan that is open</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The nearest plan, not the one that is open</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Copied</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Run it</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Read how</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Command that runs the stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Copy the command</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Copy the command, to be pasted into a terminal</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Open the README.md of the export: training, checkpoints, several machines</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Preferences</source>
   <translation>Einstellungen</translation>
  </message>
  <message>
   <source>Light</source>
   <translation>Hell</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>Dunkel</translation>
  </message>
  <message>
   <source>Appearance</source>
   <translation>Aussehen</translation>
  </message>
  <message>
   <source>Language and text size hold from the next start on.</source>
   <translation>Sprache und Schriftgröße gelten ab dem nächsten Start.</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>Farbschema</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>Text size</source>
   <translation>Schriftgröße</translation>
  </message>
  <message>
   <source>The most that a search for the best split may take</source>
   <translation>Wie lange die Suche nach der besten Aufteilung höchstens dauern darf</translation>
  </message>
  <message>
   <source>New plans</source>
   <translation>Neue Pläne</translation>
  </message>
  <message>
   <source>For the next window, and for this one while no model is open in it. The device is also the one that was chosen last.</source>
   <translation>Für das nächste Fenster, und für dieses, solange kein Modell offen ist. Das Gerät ist auch das zuletzt gewählte.</translation>
  </message>
  <message>
   <source>Microbatches</source>
   <translation>Mikrobatches</translation>
  </message>
  <message>
   <source>Search for at most</source>
   <translation>Höchstens suchen</translation>
  </message>
  <message>
   <source>Random</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Those that the model was exported with</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>From a file (.safetensors), by the names of the inputs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Choose…</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Statistics of a real step</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Runs a forward and a backward pass of the whole model on this machine. The spread, mean, largest value, zeros and NaN of every tensor and gradient then stand beside the lines of the code.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Seed</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>File of inputs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Run</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Inputs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Of all that is random: inputs, dropout, weights that the file does not have</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The model's file does not have them</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Inputs of the model</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Tensors (*.safetensors);;All files (*)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Back</source>
   <translation>Zurück</translation>
  </message>
  <message>
   <source>Skip the tour</source>
   <translation>Rundgang überspringen</translation>
  </message>
  <message>
   <source>Tour</source>
   <translation>Rundgang</translation>
  </message>
  <message>
   <source>Done</source>
   <translation>Fertig</translation>
  </message>
  <message>
   <source>Next</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <source>Continue where you left off</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Models that you open are listed here.</source>
   <translation>Hier stehen Modelle, die Sie öffnen.</translation>
  </message>
  <message>
   <source>Welcome</source>
   <translation>Willkommen</translation>
  </message>
  <message>
   <source>Drop a PyTorch model here</source>
   <translation>PyTorch-Modell hier ablegen</translation>
  </message>
  <message>
   <source>See where its memory and time go, drag the pipeline-stage boundaries, export stages that run.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Open a model</source>
   <translation>Modell öffnen</translation>
  </message>
  <message>
   <source>A file made by torch.export.save, .pt2</source>
   <translation>Eine Datei von torch.export.save, .pt2</translation>
  </message>
  <message>
   <source>Examples</source>
   <translation>Beispiele</translation>
  </message>
  <message>
   <source>Recent</source>
   <translation>Zuletzt</translation>
  </message>
  <message>
   <source>Copy the export code</source>
   <translation>Den Code zum Exportieren kopieren</translation>
  </message>
  <message>
   <source>Python code that exports a model</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Export your own model</source>
   <translation>Das eigene Modell exportieren</translation>
  </message>
  <message>
   <source>%1 is not there any more</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Open %1</source>
   <translation>%1 öffnen</translation>
  </message>
  <message>
   <source>Go on with %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Open the example %1</source>
   <translation>Das Beispiel %1 öffnen</translation>
  </message>
  <message>
   <source>Advice</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Why the slowest stage is slow, and the changes that would help</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What would help</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Nothing tried would help.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Looking for reasons and remedies</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>show %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Apply</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Apply: %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Change the plan so; it can be undone</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>As chosen by hand</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 instead of %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>the same cuts</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 in other stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Comparison</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The plan that is kept as B</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>A against B</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Swap</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Swap A and B: what is kept becomes the plan, and the plan is kept</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Drop B: compare no longer</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>A has no figures yet.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>A against B: %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Locked boundaries</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Pinned ops</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Kept together</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Never sent</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Memory limits</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 to %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>every device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>held by %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>stays with %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>None. The menu of an op, a module or a boundary in the graph locks, pins and keeps together.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Delete</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Constraints in force</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Constraint</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What it says</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Delete what is chosen here (Delete): it no longer holds, and one undo brings it back</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>GPU with CUDA</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>CPU</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Name</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Compute capability</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Peak, %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Share of the peak reached</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>By matrix products that have no curve of their own</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Share of the bandwidth reached</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What else the device file has</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Efficiency curves of %1 classes of operators scale these figures.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Measured times of %1 operators go before them.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>In the order in which they were made; a star keeps a plan</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Differences are to B, where there is one</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How far it can be from the best that was asked for</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Stages, and the devices they run on</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Made for</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How it arose</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>When</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>When it was made</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Every plan that you try is listed here, to go back to and to compare with.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>All plans that were tried; Enter goes back to one</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Plans that were tried</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Go back to it</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Make it the plan again: one step of undo (Enter)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>★ Star</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Keep it, or no longer (*)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Keep as B</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Compare the plan with it (B)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Remove</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Take it out of the list (Delete)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>☆ Take the star off</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Output '%1'</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Sum of output '%1'</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Sum of all outputs (tests the stages, trains nothing)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>None: no output needs a gradient</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Choose the output that is the loss</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The only output with dimensions</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>More options</source>
   <translation>Mehr Optionen</translation>
  </message>
  <message>
   <source>The optimizer works on float32 copies of lower-precision parameters</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The output that a training step goes back from</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The most that a search for a plan may take; it ends sooner where it has proven that there is no better plan</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>all</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Devices and links by stage</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Put stages on</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The chosen stages run on another kind of device: its speed with this model, its memory and its link are filled in</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What is wrong with the last entry</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What each stage runs on</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Speed</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Limit</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Link</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Latency</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Of its device, that of the plan being 1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The most that its device may hold, such as 30 GiB</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>To the next stage, one direction, such as 25 GB/s</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Of each message, such as 5 us</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Stages share devices: all are alike</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Longest:</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 over %2|%3 %4</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Crossing:</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Run it by another schedule: %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>slowest</source>
   <translation>am langsamsten</translation>
  </message>
  <message>
   <source>step</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>still over the memory limit</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>keeps within the memory limit</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The type in which the step computes: that of the file, another for everything, or under autocast a lower one where that is safe</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>In which order a device runs the forward and backward of its microbatches. Where a device runs several stages, another schedule keeps the devices, and the number of stages follows</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What becomes of the boundaries when another choice here leaves their number as it is: they stay, and the figures follow; or the best split for the new choice is searched for</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How many stages the model is cut into: devices × stages per device</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How many devices the stages run on</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How a value reaches a stage that is not the next one. What is exported hands it on from stage to stage, whatever is chosen here</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The most that a device may hold, such as 24 GiB; empty: what it has beside its driver</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What a search makes as short as it can: computing, receiving and sending of the slowest device; its computing alone; the longest of the three, where transfers run beside the computing; or the simulated time of a whole step</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>How many stages each device runs in turn; the devices stay, and the number of stages follows</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Stages on devices</source>
   <translation>Stufen auf Geräten</translation>
  </message>
  <message>
   <source>What is wrong with the schedule</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What the figures of the plan leave out</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Keep the boundaries</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Split again</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Sizes</source>
   <translation>Größen</translation>
  </message>
  <message>
   <source>Show more options</source>
   <translation>Mehr Optionen zeigen</translation>
  </message>
  <message>
   <source>After a change</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Edit…</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Look at devices, make and change one's own, import a device file</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Splitting</source>
   <translation>Wird aufgeteilt</translation>
  </message>
  <message>
   <source>%1. Until then no change here takes effect.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1, %2 GB/s memory, %3 GB/s link</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>by stage</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>is</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>is at most</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1: exactly or at most</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Figures from an upper bound are no more than upper bounds themselves</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>not given</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The size %1 of the model: what the data are decides it, so a typical value has to be given</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>The size %1 of the model, exported with %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
Device %1 runs %2: %3 for one microbatch, holds %4 at once, idle %5</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
%1 over the limit of %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>State (parameters, gradients, optimizer) %1
Activations %2 for each of %3 microbatches in flight
While one op runs %4</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>
Fits into %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Its time is all three together</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Its time is computing alone: that is what the plan is searched for</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Its time is the longest of the three: transfers run beside the computing</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Compute %1, receive %2, send %3, for one microbatch
%4
The tick is the average of all stages</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 for each of %2 microbatches in flight</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Gradients of activations %1, of parameters %2</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>device %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>, the slowest</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What each stage costs appears here once the model is profiled and split.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Costs of each stage; moves, adds and removes boundaries with the keyboard</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Step %1 · bubble %2 · %3 sent for each microbatch</source>
   <translation>Schritt %1 · Leerlauf %2 · %3 je Mikrobatch gesendet</translation>
  </message>
  <message>
   <source>Differences are to B</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>&lt;b&gt;%1&lt;/b&gt; is the slowest: &lt;b&gt;%2&lt;/b&gt;</source>
   <translation>&lt;b&gt;%1&lt;/b&gt; ist am langsamsten: &lt;b&gt;%2&lt;/b&gt;</translation>
  </message>
  <message>
   <source>Step: one training step of all microbatches, by simulating the schedule.
Bubble: the share of all devices' time in which they compute nothing, the mean of their idle shares.
Sent: activations and gradients over all boundaries, for one microbatch.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Show its code</source>
   <translation>Den Code zeigen</translation>
  </message>
  <message>
   <source>Split in two</source>
   <translation>In zwei teilen</translation>
  </message>
  <message>
   <source>Boundary up by an op</source>
   <translation>Grenze um eine Operation nach oben</translation>
  </message>
  <message>
   <source>Boundary down by an op</source>
   <translation>Grenze um eine Operation nach unten</translation>
  </message>
  <message>
   <source>Boundary up by a module</source>
   <translation>Grenze um ein Modul nach oben</translation>
  </message>
  <message>
   <source>Boundary down by a module</source>
   <translation>Grenze um ein Modul nach unten</translation>
  </message>
  <message>
   <source>Remove the boundary</source>
   <translation>Die Grenze entfernen</translation>
  </message>
  <message>
   <source>less memory</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>less time</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Weigh memory against time</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>With how little memory the stages can do when backward runs things again, and what time that costs.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Memory can be weighed against time once there is a training step.</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What runs again in backward so that no stage holds more; the stages stay</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>What that costs</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 at most in a stage · slowest stage %2 · </source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 of all computing runs again</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>nothing runs again</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Another plan than now: </source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>: nothing here can run again with a gain</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1 rows</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Copy as CSV</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Copy as Markdown</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Save table…</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Markdown (*.md)</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Save the table</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Columns as at first</source>
   <translation type="unfinished" />
  </message>
 </context>
</TS>
