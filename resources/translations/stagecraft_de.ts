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
   <source>Let results be sent</source>
   <translation>Ergebnisse dürfen gesendet werden</translation>
  </message>
  <message>
   <source>Never send results</source>
   <translation>Ergebnisse nie senden</translation>
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
   <source>Unlock boundary %1</source>
   <translation>Grenze %1 entsperren</translation>
  </message>
  <message>
   <source>Lock boundary %1</source>
   <translation>Grenze %1 sperren</translation>
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
   <source>No longer keep together</source>
   <translation>Nicht mehr zusammenhalten</translation>
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
   <source>%1 is open in another window, too: edits made here are not kept for recovery. Save the plan to keep them, or close the other window and reload.</source>
   <translation>%1 ist auch in einem anderen Fenster offen: Was hier bearbeitet wird, wird nicht zur Wiederherstellung aufbewahrt. Speichern Sie den Plan, oder schließen Sie das andere Fenster und laden Sie neu.</translation>
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
   <source>Opening %1</source>
   <translation>%1 wird geöffnet</translation>
  </message>
  <message>
   <source>The memory limit was of the model before; this one may use what its devices have.</source>
   <translation>Die Speichergrenze galt für das Modell davor; dieses darf nutzen, was seine Geräte haben.</translation>
  </message>
  <message>
   <source>The times were of other sizes; they are estimated now.</source>
   <translation>Die Zeiten galten für andere Größen; sie sind jetzt geschätzt.</translation>
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
   <source>Reading weights</source>
   <translation>Gewichte werden gelesen</translation>
  </message>
  <message>
   <source>The model has the weights of these files now; exports hold them.</source>
   <translation>Das Modell hat jetzt die Gewichte dieser Dateien; Exporte enthalten sie.</translation>
  </message>
  <message>
   <source>Transformer</source>
   <translation>Transformer</translation>
  </message>
  <message>
   <source>Residual CNN</source>
   <translation>Residuales CNN</translation>
  </message>
  <message>
   <source>Mixture of experts</source>
   <translation>Mischung von Experten</translation>
  </message>
  <message>
   <source>Encoder and decoder</source>
   <translation>Encoder und Decoder</translation>
  </message>
  <message>
   <source>Small transformer</source>
   <translation>Kleiner Transformer</translation>
  </message>
  <message>
   <source>with weights: exports run</source>
   <translation>mit Gewichten: Exporte laufen</translation>
  </message>
  <message>
   <source>%1 parameters, no weights</source>
   <translation>%1 Parameter, ohne Gewichte</translation>
  </message>
  <message>
   <source>Drawing</source>
   <translation>Es wird gezeichnet</translation>
  </message>
  <message>
   <source>Working out starred plans</source>
   <translation>Pläne mit Stern werden berechnet</translation>
  </message>
  <message>
   <source>The starred plan “%1” of %2</source>
   <translation>Der Plan mit Stern „%1“ von %2</translation>
  </message>
  <message>
   <source>%1 does not apply any more: %2</source>
   <translation>%1 passt nicht mehr: %2</translation>
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
   <source>There is nothing to compare with: the plan is cut so already.</source>
   <translation>Nichts zu vergleichen: Der Plan ist schon so geschnitten.</translation>
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
   <source>Recomputation for these boundaries</source>
   <translation>Neuberechnung für diese Grenzen</translation>
  </message>
  <message>
   <source>Recomputation for boundaries to come</source>
   <translation>Neuberechnung für kommende Grenzen</translation>
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
  <message numerus="yes">
   <source>Devices of %n stage(s)</source>
   <translation>
    <numerusform>Geräte von %n Stufe</numerusform>
    <numerusform>Geräte von %n Stufen</numerusform>
   </translation>
  </message>
  <message>
   <source>Stage %1</source>
   <translation>Stufe %1</translation>
  </message>
  <message>
   <source>Stages %1</source>
   <translation>Stufen %1</translation>
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
   <source>Estimate times again</source>
   <translation>Zeiten neu schätzen</translation>
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
  <message>
   <source>Costs of operators</source>
   <translation>Kosten von Operatoren</translation>
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
   <source>%1 · %2 microbatches · %3 · %4</source>
   <translation>%1 · %2 Mikrobatches · %3 · %4</translation>
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
   <source>A window of its own for another model</source>
   <translation>Ein eigenes Fenster für ein anderes Modell</translation>
  </message>
  <message>
   <source>New win&amp;dow</source>
   <translation>Neues Fens&amp;ter</translation>
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
   <source>Save the drawing of the graph as SVG, PDF or PNG</source>
   <translation>Die Zeichnung des Graphen als SVG, PDF oder PNG speichern</translation>
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
   <source>&amp;Split before selection</source>
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
   <source>Let &amp;apart</source>
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
   <source>Send to &amp;previous stage</source>
   <translation>An die &amp;vorige Stufe geben</translation>
  </message>
  <message>
   <source>Move the selected ops, and what must go along, to the stage after</source>
   <translation>Die gewählten Operationen und was mitgehen muss in die Stufe danach geben</translation>
  </message>
  <message>
   <source>Send to &amp;next stage</source>
   <translation>An die &amp;nächste Stufe geben</translation>
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
   <source>Say what operators compute that are not known here</source>
   <translation>Sagen, was Operatoren rechnen, die hier nicht bekannt sind</translation>
  </message>
  <message>
   <source>Costs of unknown &amp;operators…</source>
   <translation>Kosten unbekannter &amp;Operatoren…</translation>
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
   <source>&amp;Boundary</source>
   <translation>&amp;Grenze</translation>
  </message>
  <message>
   <source>Se&amp;lected ops</source>
   <translation>Ausge&amp;wählte Operatoren</translation>
  </message>
  <message>
   <source>Bloc&amp;ks</source>
   <translation>Bl&amp;öcke</translation>
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
   <source>Save the plan first, and its stages are measured, too.</source>
   <translation>Wird der Plan zuvor gesichert, so werden auch seine Stufen gemessen.</translation>
  </message>
  <message>
   <source>The command measures the stages of the plan as it was saved: save it first.</source>
   <translation>Der Befehl misst die Stufen des Plans, wie er gesichert ist: zuvor sichern.</translation>
  </message>
  <message>
   <source>Give --import the Python module that brings the operators %1::…</source>
   <translation>--import das Python-Modul geben, das die Operatoren %1::… mitbringt</translation>
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
   <source>With its &amp;best cuts</source>
   <translation>Mit den b&amp;esten Schnitten</translation>
  </message>
  <message>
   <source>Find the best cuts for what this plan is made for and keep that plan as B</source>
   <translation>Die besten Schnitte für das suchen, wofür dieser Plan gemacht ist, und diesen Plan als B behalten</translation>
  </message>
  <message>
   <source>Same c&amp;uts as this plan</source>
   <translation>Gleiche &amp;Schnitte wie dieser Plan</translation>
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
   <translation>Den Plan unter %1 suchen und als B behalten</translation>
  </message>
  <message>
   <source>Find the plan for %1 and keep it as B</source>
   <translation>Den Plan für %1 suchen und als B behalten</translation>
  </message>
  <message>
   <source>The plan has this one already</source>
   <translation>Das hat der Plan schon</translation>
  </message>
  <message>
   <source>%1, the same cuts</source>
   <translation>%1, gleiche Schnitte</translation>
  </message>
  <message>
   <source>Best cuts</source>
   <translation>Beste Schnitte</translation>
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
   <source>Looking into what was dropped</source>
   <translation>Fallengelassenes ansehen</translation>
  </message>
  <message>
   <source>Open figures of yo&amp;ur own…</source>
   <translation>Eigene Za&amp;hlen öffnen…</translation>
  </message>
  <message>
   <source>Colours and figures by op or module, out of a file of another program</source>
   <translation>Farben und Zahlen je Op oder Modul, aus einer Datei eines anderen Programms</translation>
  </message>
  <message>
   <source>Leave own figures out</source>
   <translation>Eigene Zahlen weglassen</translation>
  </message>
  <message>
   <source>Shows the model without the figures of your own</source>
   <translation>Zeigt das Modell ohne die eigenen Zahlen</translation>
  </message>
  <message>
   <source>Export grap&amp;h…</source>
   <translation>Gra&amp;ph exportieren…</translation>
  </message>
  <message>
   <source>The graph with its figures for other programs: GraphML, JSON, DOT, CSV</source>
   <translation>Der Graph mit seinen Zahlen für andere Programme: GraphML, JSON, DOT, CSV</translation>
  </message>
  <message>
   <source>Reading figures</source>
   <translation>Zahlen werden gelesen</translation>
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
   <source>%1 was not written: the name has to end in %2.</source>
   <translation>%1 wurde nicht geschrieben: der Name muss auf %2 enden.</translation>
  </message>
  <message>
   <source> or </source>
   <translation> oder </translation>
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
   <source>Weights (*.safetensors *.json *.pt *.pth *.bin);;All files (*)</source>
   <translation>Gewichte (*.safetensors *.json *.pt *.pth *.bin);;Alle Dateien (*)</translation>
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
   <source>Save the report</source>
   <translation>Den Bericht speichern</translation>
  </message>
  <message>
   <source>Pages (*.html)</source>
   <translation>Seiten (*.html)</translation>
  </message>
  <message>
   <source>Figures of your own</source>
   <translation>Eigene Zahlen</translation>
  </message>
  <message>
   <source>Figures (*.json);;All files (*)</source>
   <translation>Zahlen (*.json);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Save the graph</source>
   <translation>Graph speichern</translation>
  </message>
  <message>
   <source>GraphML, for networkx, yEd and Gephi (*.graphml)</source>
   <translation>GraphML, für networkx, yEd und Gephi (*.graphml)</translation>
  </message>
  <message>
   <source>Graph as JSON (*.json)</source>
   <translation>Graph als JSON (*.json)</translation>
  </message>
  <message>
   <source>DOT, for Graphviz (*.dot)</source>
   <translation>DOT, für Graphviz (*.dot)</translation>
  </message>
  <message>
   <source>Table of operators (*.csv)</source>
   <translation>Tabelle der Operatoren (*.csv)</translation>
  </message>
  <message>
   <source>Table of edges (*.csv)</source>
   <translation>Tabelle der Kanten (*.csv)</translation>
  </message>
  <message>
   <source>Save the schedule</source>
   <translation>Den Ablauf speichern</translation>
  </message>
  <message>
   <source>Trace events for Perfetto (*.json)</source>
   <translation>Ereignisse für Perfetto (*.json)</translation>
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
   <source>Did you mean “%1”?</source>
   <translation>Meinten Sie „%1“?</translation>
  </message>
  <message>
   <source>No op has “%1”. Did you mean “%2”?</source>
   <translation>Keine Operation hat „%1“. Meinten Sie „%2“?</translation>
  </message>
  <message>
   <source>%1 parameters, %2 ops</source>
   <translation>%1 Parameter, %2 Operationen</translation>
  </message>
  <message>
   <source>&amp;New model…</source>
   <translation>&amp;Neues Modell…</translation>
  </message>
  <message>
   <source>&lt;h3&gt;Form&lt;/h3&gt;&lt;p&gt;The sizes of a model that was made from a form.&lt;/p&gt;&lt;p&gt;Change one: the model is made anew, and its plan with it.&lt;/p&gt;</source>
   <translation>&lt;h3&gt;Form&lt;/h3&gt;&lt;p&gt;Die Größen eines Modells, das aus einer Form erzeugt wurde.&lt;/p&gt;&lt;p&gt;Eine ändern: das Modell wird neu erzeugt und mit ihm sein Plan.&lt;/p&gt;</translation>
  </message>
  <message>
   <source>Form</source>
   <translation>Form</translation>
  </message>
  <message>
   <source>Making the model</source>
   <translation>Das Modell wird erzeugt</translation>
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
   <source>&amp;Import from Python…</source>
   <translation>Aus Python &amp;importieren…</translation>
  </message>
  <message>
   <source>Make a model of one's own code, or of a name of transformers, timm or torchvision</source>
   <translation>Ein Modell aus eigenem Code oder nach einem Namen aus transformers, timm oder torchvision</translation>
  </message>
  <message>
   <source>Asking Python</source>
   <translation>Python wird gefragt</translation>
  </message>
  <message>
   <source>Starting Python</source>
   <translation>Python wird gestartet</translation>
  </message>
  <message>
   <source>Importing</source>
   <translation>Wird importiert</translation>
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
   <source>Add another range to what is selected</source>
   <translation>Einen weiteren Bereich zur Auswahl hinzufügen</translation>
  </message>
  <message>
   <source>Shift+drag in charts</source>
   <translation>Umschalt+Ziehen in Kurven</translation>
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
   <source>Select nothing; then end the job that goes on</source>
   <translation>Nichts auswählen; dann die laufende Aufgabe beenden</translation>
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
   <source>Only the rows of a table with some words</source>
   <translation>Nur die Zeilen einer Tabelle mit bestimmten Wörtern</translation>
  </message>
  <message>
   <source>/ in the table</source>
   <translation>/ in der Tabelle</translation>
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
   <source>Open with other inputs…</source>
   <translation>Mit anderen Eingaben öffnen…</translation>
  </message>
  <message>
   <source>Open the model again with other inputs of its script, or another program of its file</source>
   <translation>Das Modell noch einmal öffnen, mit anderen Eingaben seines Skripts oder einem anderen Programm seiner Datei</translation>
  </message>
  <message>
   <source>Open another program of the file…</source>
   <translation>Anderes Programm der Datei öffnen…</translation>
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
   <source>Figures follow each change; Ctrl+Enter searches for the best split. Each choice is one step of undo. All of them hold for the model that is opened next, but the memory limit, which is of this one.</source>
   <translation>Die Zahlen folgen jeder Änderung; Strg+Eingabe sucht die beste Aufteilung. Jede Wahl ist ein Schritt von Rückgängig. Alle gelten auch für das Modell, das als Nächstes geöffnet wird, nur die Speichergrenze nicht: sie gehört zu diesem.</translation>
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
   <source>Point at a moment for what is alive then; All stages over the step has a curve for each stage, in the order of the schedule.</source>
   <translation>Auf einen Zeitpunkt zeigen, um zu sehen, was dann lebt; „Alle Stufen über den Schritt“ hat für jede Stufe eine Kurve, in der Reihenfolge des Zeitplans.</translation>
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
   <source>Looking for files</source>
   <translation>Dateien suchen</translation>
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
   <source>As all stages</source>
   <translation>Wie alle Stufen</translation>
  </message>
  <message>
   <source>What this stage runs again in backward, whatever the others do</source>
   <translation>Was diese Stufe rückwärts neu berechnet, gleich was die anderen tun</translation>
  </message>
  <message>
   <source>Recompute in sta&amp;ge %1</source>
   <translation>In Stu&amp;fe %1 neu berechnen</translation>
  </message>
  <message>
   <source>Recompute in the sta&amp;ge</source>
   <translation>In der Stu&amp;fe neu berechnen</translation>
  </message>
  <message>
   <source>The device that takes longest for one microbatch sets the pace of all; how far it is above the mean of all devices is what balancing could gain at most</source>
   <translation>Das Gerät, das für einen Mikrobatch am längsten braucht, bestimmt das Tempo aller; wie weit es über dem Mittel liegt, ist der größtmögliche Gewinn durch Ausgleichen</translation>
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
   <source>What is selected; ops are numbered in the order in which they run</source>
   <translation>Was ausgewählt ist; Operationen sind in der Reihenfolge nummeriert, in der sie laufen</translation>
  </message>
  <message>
   <source>, %1 hidden</source>
   <translation>, %1 verborgen</translation>
  </message>
  <message>
   <source>Operators in the model; hidden ones compute nothing and are not drawn</source>
   <translation>Operationen im Modell; verborgene berechnen nichts und werden nicht gezeichnet</translation>
  </message>
  <message>
   <source>What the plan is made for; a click shows where it is chosen</source>
   <translation>Wofür der Plan gemacht ist; ein Klick zeigt, wo man es wählt</translation>
  </message>
  <message numerus="yes">
   <source>splitting into %n stage(s)…</source>
   <translation>
    <numerusform>Aufteilung in %n Stufe wird gesucht …</numerusform>
    <numerusform>Aufteilung in %n Stufen wird gesucht …</numerusform>
   </translation>
  </message>
  <message>
   <source>not split yet</source>
   <translation>noch nicht aufgeteilt</translation>
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
   <source>Costs of operators are left out: %1</source>
   <translation>Kosten von Operatoren werden ausgelassen: %1</translation>
  </message>
  <message>
   <source>Costs of operators are not kept any more: %1</source>
   <translation>Kosten von Operatoren werden nicht mehr gemerkt: %1</translation>
  </message>
  <message>
   <source>Cos&amp;ts of %1</source>
   <translation>Kos&amp;ten von %1</translation>
  </message>
  <message>
   <source>Costs of %1</source>
   <translation>Kosten von %1</translation>
  </message>
  <message>
   <source>Library of operators</source>
   <translation>Bibliothek von Operatoren</translation>
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
   <source>Say what it costs…</source>
   <translation>Sagen, was er kostet…</translation>
  </message>
  <message>
   <source>With these boundaries not every stage fits, whatever is recomputed.</source>
   <translation>Mit diesen Grenzen passt nicht jede Stufe in den Speicher, was auch immer neu berechnet wird.</translation>
  </message>
  <message>
   <source>With these boundaries not every stage fits.</source>
   <translation>Mit diesen Grenzen passt nicht jede Stufe in den Speicher.</translation>
  </message>
  <message>
   <source>What is recomputed is of the boundaries before: its bytes and times are not exact.</source>
   <translation>Was neu berechnet wird, gilt noch für die Grenzen von vorher: Bytes und Zeiten davon sind nicht genau.</translation>
  </message>
  <message>
   <source>Make them exact</source>
   <translation>Genau bestimmen</translation>
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
   <source>All plans here run again what the present one does. A plan that is taken chooses that anew: its memory and time may then differ from what it says here.</source>
   <translation>Alle Pläne hier berechnen neu, was der jetzige neu berechnet. Ein übernommener Plan wählt das neu: Speicher und Zeit können dann von den Angaben hier abweichen.</translation>
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
   <source>Calibrating</source>
   <translation>Es wird kalibriert</translation>
  </message>
  <message>
   <source>Comparing plans</source>
   <translation>Pläne werden verglichen</translation>
  </message>
  <message>
   <source>Cutting</source>
   <translation>Es wird zerlegt</translation>
  </message>
  <message>
   <source>Following the script</source>
   <translation>Dem Skript wird gefolgt</translation>
  </message>
  <message>
   <source>Gradients</source>
   <translation>Gradienten</translation>
  </message>
  <message>
   <source>Improving</source>
   <translation>Es wird verbessert</translation>
  </message>
  <message>
   <source>Looking for changes</source>
   <translation>Änderungen werden gesucht</translation>
  </message>
  <message>
   <source>Matching operators</source>
   <translation>Operationen werden zugeordnet</translation>
  </message>
  <message>
   <source>Measuring steps</source>
   <translation>Schritte werden gemessen</translation>
  </message>
  <message>
   <source>Proving</source>
   <translation>Es wird bewiesen</translation>
  </message>
  <message>
   <source>Reading operators</source>
   <translation>Operationen werden gelesen</translation>
  </message>
  <message>
   <source>Reading stages</source>
   <translation>Stufen werden gelesen</translation>
  </message>
  <message>
   <source>Reading the model</source>
   <translation>Das Modell wird gelesen</translation>
  </message>
  <message>
   <source>Running</source>
   <translation>Es läuft</translation>
  </message>
  <message>
   <source>Running stages</source>
   <translation>Stufen laufen</translation>
  </message>
  <message>
   <source>Running the model</source>
   <translation>Das Modell läuft</translation>
  </message>
  <message>
   <source>Running the stages in Python</source>
   <translation>Stufen laufen in Python</translation>
  </message>
  <message>
   <source>Sketching plans</source>
   <translation>Pläne werden entworfen</translation>
  </message>
  <message>
   <source>Slicing orders</source>
   <translation>Reihenfolgen werden geteilt</translation>
  </message>
  <message>
   <source>Tracing</source>
   <translation>Ein Schritt wird verfolgt</translation>
  </message>
  <message>
   <source>Tracing what is kept</source>
   <translation>Was behalten wird, wird verfolgt</translation>
  </message>
  <message>
   <source>Weighing what runs again</source>
   <translation>Was nochmals läuft, wird abgewogen</translation>
  </message>
  <message>
   <source>Writing stages</source>
   <translation>Stufen werden geschrieben</translation>
  </message>
  <message>
   <source>Writing weights</source>
   <translation>Gewichte werden geschrieben</translation>
  </message>
  <message>
   <source>Searching %1 stages</source>
   <translation>%1 Stufen werden gesucht</translation>
  </message>
  <message>
   <source>Stage</source>
   <translation>Stufe</translation>
  </message>
  <message>
   <source>Time</source>
   <translation>Zeit</translation>
  </message>
  <message>
   <source>Operator</source>
   <translation>Operator</translation>
  </message>
  <message>
   <source>Data type</source>
   <translation>Datentyp</translation>
  </message>
  <message>
   <source>Measured or estimated</source>
   <translation>Gemessen oder geschätzt</translation>
  </message>
  <message>
   <source>Own figures</source>
   <translation>Eigene Zahlen</translation>
  </message>
  <message>
   <source>What the colours of the graph stand for</source>
   <translation>Wofür die Farben des Graphen stehen</translation>
  </message>
  <message>
   <source>Legend</source>
   <translation>Legende</translation>
  </message>
  <message>
   <source>Colours stand for %1 stages</source>
   <translation>Die Farben stehen für %1 Stufen</translation>
  </message>
  <message>
   <source>%1: dark is %2, bright is %3</source>
   <translation>%1: dunkel ist %2, hell ist %3</translation>
  </message>
  <message>
   <source>Completions</source>
   <translation>Vorschläge</translation>
  </message>
  <message>
   <source>Find</source>
   <translation>Suchen</translation>
  </message>
  <message>
   <source>Find ops: name, op:linear, time&gt;1ms</source>
   <translation>Suchen: Name, op:linear, time&gt;1ms</translation>
  </message>
  <message>
   <source>name, op:linear, time&gt;1ms</source>
   <translation>Name, op:linear, time&gt;1ms</translation>
  </message>
  <message>
   <source>Find ops</source>
   <translation>Operationen suchen</translation>
  </message>
  <message>
   <source>Enter shows the next match, Shift+Enter the one before; Tab completes</source>
   <translation>Eingabe zeigt den nächsten Treffer, Umschalt+Eingabe den vorigen; Tab vervollständigt</translation>
  </message>
  <message>
   <source>none</source>
   <translation>keine</translation>
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
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>Vision</source>
   <translation>Bild</translation>
  </message>
  <message>
   <source>Vision and language</source>
   <translation>Bild und Sprache</translation>
  </message>
  <message>
   <source>Other</source>
   <translation>Andere</translation>
  </message>
  <message>
   <source>Multilayer perceptron</source>
   <translation>Mehrschichtiges Perzeptron</translation>
  </message>
  <message>
   <source>tokens</source>
   <translation>Token</translation>
  </message>
  <message>
   <source>samples</source>
   <translation>Beispiele</translation>
  </message>
  <message>
   <source>pixels</source>
   <translation>Pixel</translation>
  </message>
  <message>
   <source>no</source>
   <translation>nein</translation>
  </message>
  <message>
   <source>yes</source>
   <translation>ja</translation>
  </message>
  <message>
   <source>basic</source>
   <translation>einfach</translation>
  </message>
  <message>
   <source>bottleneck</source>
   <translation>mit Engpass</translation>
  </message>
  <message>
   <source>Block</source>
   <translation>Block</translation>
  </message>
  <message>
   <source>Blocks of stage 1</source>
   <translation>Blöcke der Stufe 1</translation>
  </message>
  <message>
   <source>Blocks of stage 2</source>
   <translation>Blöcke der Stufe 2</translation>
  </message>
  <message>
   <source>Blocks of stage 3</source>
   <translation>Blöcke der Stufe 3</translation>
  </message>
  <message>
   <source>Blocks of stage 4</source>
   <translation>Blöcke der Stufe 4</translation>
  </message>
  <message>
   <source>Buckets of relative positions</source>
   <translation>Fächer relativer Positionen</translation>
  </message>
  <message>
   <source>Channels of the latent image</source>
   <translation>Kanäle des latenten Bildes</translation>
  </message>
  <message>
   <source>Classes</source>
   <translation>Klassen</translation>
  </message>
  <message>
   <source>Layers of the decoder</source>
   <translation>Schichten des Decoders</translation>
  </message>
  <message>
   <source>First layers without experts</source>
   <translation>Erste Schichten ohne Experten</translation>
  </message>
  <message>
   <source>Element type</source>
   <translation>Elementtyp</translation>
  </message>
  <message>
   <source>Width of an expert</source>
   <translation>Breite eines Experten</translation>
  </message>
  <message>
   <source>Experts</source>
   <translation>Experten</translation>
  </message>
  <message>
   <source>Experts of a token</source>
   <translation>Experten eines Tokens</translation>
  </message>
  <message>
   <source>Groups of experts</source>
   <translation>Gruppen von Experten</translation>
  </message>
  <message>
   <source>Groups of a token</source>
   <translation>Gruppen eines Tokens</translation>
  </message>
  <message>
   <source>Width of a head without positions</source>
   <translation>Breite eines Kopfes ohne Positionen</translation>
  </message>
  <message>
   <source>Width of a head</source>
   <translation>Breite eines Kopfes</translation>
  </message>
  <message>
   <source>Heads for images</source>
   <translation>Köpfe für Bilder</translation>
  </message>
  <message>
   <source>Heads</source>
   <translation>Köpfe</translation>
  </message>
  <message>
   <source>Width of feed-forward for images</source>
   <translation>Feed-forward-Breite für Bilder</translation>
  </message>
  <message>
   <source>Width of feed-forward</source>
   <translation>Feed-forward-Breite</translation>
  </message>
  <message>
   <source>Inputs</source>
   <translation>Eingaben</translation>
  </message>
  <message>
   <source>Heads of keys and values</source>
   <translation>Köpfe der Schlüssel und Werte</translation>
  </message>
  <message>
   <source>Rank of the latent</source>
   <translation>Rang der latenten Darstellung</translation>
  </message>
  <message>
   <source>Layers for images</source>
   <translation>Schichten für Bilder</translation>
  </message>
  <message>
   <source>Layers of the encoder</source>
   <translation>Schichten des Encoders</translation>
  </message>
  <message>
   <source>Layers</source>
   <translation>Schichten</translation>
  </message>
  <message>
   <source>Outputs</source>
   <translation>Ausgaben</translation>
  </message>
  <message>
   <source>Positions of texts</source>
   <translation>Positionen der Texte</translation>
  </message>
  <message>
   <source>Positions</source>
   <translation>Positionen</translation>
  </message>
  <message>
   <source>Width of what both become</source>
   <translation>Breite des gemeinsamen Raums</translation>
  </message>
  <message>
   <source>Rank of queries</source>
   <translation>Rang der Anfragen</translation>
  </message>
  <message>
   <source>Queries are divided by the root of</source>
   <translation>Anfragen geteilt durch die Wurzel aus</translation>
  </message>
  <message>
   <source>Base of rotary positions</source>
   <translation>Basis der Rotationspositionen</translation>
  </message>
  <message>
   <source>Base of rotary positions in windows</source>
   <translation>Basis der Rotationspositionen in Fenstern</translation>
  </message>
  <message>
   <source>Positions are stretched by</source>
   <translation>Positionen gestreckt um</translation>
  </message>
  <message>
   <source>Width of a head with positions</source>
   <translation>Breite eines Kopfes mit Positionen</translation>
  </message>
  <message>
   <source>Shared experts</source>
   <translation>Gemeinsame Experten</translation>
  </message>
  <message>
   <source>Modules that predict further tokens</source>
   <translation>Module, die weitere Token vorhersagen</translation>
  </message>
  <message>
   <source>Heads for texts</source>
   <translation>Köpfe für Texte</translation>
  </message>
  <message>
   <source>Width of feed-forward for texts</source>
   <translation>Feed-forward-Breite für Texte</translation>
  </message>
  <message>
   <source>Layers for texts</source>
   <translation>Schichten für Texte</translation>
  </message>
  <message>
   <source>Width for texts</source>
   <translation>Breite für Texte</translation>
  </message>
  <message>
   <source>Embeddings tied to the head</source>
   <translation>Einbettungen mit dem Kopf geteilt</translation>
  </message>
  <message>
   <source>Width of a head's values</source>
   <translation>Breite der Werte eines Kopfes</translation>
  </message>
  <message>
   <source>Every so many layers one sees everything</source>
   <translation>Nach so vielen Schichten sieht eine alles</translation>
  </message>
  <message>
   <source>Channels of stage 1</source>
   <translation>Kanäle der Stufe 1</translation>
  </message>
  <message>
   <source>Width for images</source>
   <translation>Breite für Bilder</translation>
  </message>
  <message>
   <source>Width</source>
   <translation>Breite</translation>
  </message>
  <message>
   <source>Channels of stage 2</source>
   <translation>Kanäle der Stufe 2</translation>
  </message>
  <message>
   <source>Channels of stage 3</source>
   <translation>Kanäle der Stufe 3</translation>
  </message>
  <message>
   <source>Channels of stage 4</source>
   <translation>Kanäle der Stufe 4</translation>
  </message>
  <message>
   <source>Batch</source>
   <translation>Batch</translation>
  </message>
  <message>
   <source>Dropout</source>
   <translation>Dropout</translation>
  </message>
  <message>
   <source>Epsilon of norms is 10 to the minus</source>
   <translation>Epsilon der Normen ist 10 hoch minus</translation>
  </message>
  <message>
   <source>Beyond it positions share a bucket</source>
   <translation>Dahinter teilen Positionen ein Fach</translation>
  </message>
  <message>
   <source>Image</source>
   <translation>Bild</translation>
  </message>
  <message>
   <source>Latent image</source>
   <translation>Latentes Bild</translation>
  </message>
  <message>
   <source>Labels left out</source>
   <translation>Ausgelassene Label</translation>
  </message>
  <message>
   <source>Patch</source>
   <translation>Patch</translation>
  </message>
  <message>
   <source>Sequence</source>
   <translation>Sequenz</translation>
  </message>
  <message>
   <source>Sequence of the decoder</source>
   <translation>Sequenz des Decoders</translation>
  </message>
  <message>
   <source>Vocabulary</source>
   <translation>Vokabular</translation>
  </message>
  <message>
   <source>Window of most layers</source>
   <translation>Fenster der meisten Schichten</translation>
  </message>
  <message>
   <source>Residual blocks of a level</source>
   <translation>Residualblöcke einer Ebene</translation>
  </message>
  <message>
   <source>Numbers of the image, beside the text as a whole</source>
   <translation>Zahlen des Bildes, neben dem Text als Ganzem</translation>
  </message>
  <message>
   <source>Token that stands for a patch</source>
   <translation>Token, das für einen Patch steht</translation>
  </message>
  <message>
   <source>Width inside a layer</source>
   <translation>Breite in einer Schicht</translation>
  </message>
  <message>
   <source>Tokens of the convolution</source>
   <translation>Token der Faltung</translation>
  </message>
  <message>
   <source>Levels</source>
   <translation>Ebenen</translation>
  </message>
  <message>
   <source>Transformers begin with a linear layer</source>
   <translation>Transformer beginnen mit einer linearen Schicht</translation>
  </message>
  <message>
   <source>Groups of a norm</source>
   <translation>Gruppen einer Norm</translation>
  </message>
  <message>
   <source>Width of the text as a whole (0: not read)</source>
   <translation>Breite des Textes als Ganzem (0: nicht gelesen)</translation>
  </message>
  <message>
   <source>Sequence, each token written out</source>
   <translation>Sequenz, jedes Token ausgeschrieben</translation>
  </message>
  <message>
   <source>Text</source>
   <translation>Text</translation>
  </message>
  <message>
   <source>Waves of each of them</source>
   <translation>Wellen jeder davon</translation>
  </message>
  <message>
   <source>State of a channel</source>
   <translation>Zustand eines Kanals</translation>
  </message>
  <message>
   <source>Rank of steps</source>
   <translation>Rang der Schritte</translation>
  </message>
  <message>
   <source>Width of the text's vectors</source>
   <translation>Breite der Vektoren des Textes</translation>
  </message>
  <message>
   <source>Transformer layers in the middle</source>
   <translation>Transformer-Schichten in der Mitte</translation>
  </message>
  <message>
   <source>Width, level 1</source>
   <translation>Breite, Ebene 1</translation>
  </message>
  <message>
   <source>Width, level 2</source>
   <translation>Breite, Ebene 2</translation>
  </message>
  <message>
   <source>Width, level 3</source>
   <translation>Breite, Ebene 3</translation>
  </message>
  <message>
   <source>Width, level 4</source>
   <translation>Breite, Ebene 4</translation>
  </message>
  <message>
   <source>Heads, level 1</source>
   <translation>Köpfe, Ebene 1</translation>
  </message>
  <message>
   <source>Heads, level 2</source>
   <translation>Köpfe, Ebene 2</translation>
  </message>
  <message>
   <source>Heads, level 3</source>
   <translation>Köpfe, Ebene 3</translation>
  </message>
  <message>
   <source>Heads, level 4</source>
   <translation>Köpfe, Ebene 4</translation>
  </message>
  <message>
   <source>Transformer layers, level 1</source>
   <translation>Transformer-Schichten, Ebene 1</translation>
  </message>
  <message>
   <source>Transformer layers, level 2</source>
   <translation>Transformer-Schichten, Ebene 2</translation>
  </message>
  <message>
   <source>Transformer layers, level 3</source>
   <translation>Transformer-Schichten, Ebene 3</translation>
  </message>
  <message>
   <source>Transformer layers, level 4</source>
   <translation>Transformer-Schichten, Ebene 4</translation>
  </message>
  <message>
   <source>%1%2 pts</source>
   <translation>%1%2 %-Pkt.</translation>
  </message>
  <message>
   <source>proven optimal</source>
   <translation>nachweislich optimal</translation>
  </message>
  <message>
   <source>proven within %1 of optimal</source>
   <translation>nachweislich höchstens %1 über dem Optimum</translation>
  </message>
  <message>
   <source>1 stage</source>
   <translation>1 Stufe</translation>
  </message>
  <message>
   <source>%1 stages</source>
   <translation>%1 Stufen</translation>
  </message>
  <message>
   <source>%1 on 1 device</source>
   <translation>%1 auf 1 Gerät</translation>
  </message>
  <message>
   <source>%1 on %2 devices</source>
   <translation>%1 auf %2 Geräten</translation>
  </message>
  <message>
   <source>slowest device</source>
   <translation>langsamstes Gerät</translation>
  </message>
  <message>
   <source>slowest stage</source>
   <translation>langsamste Stufe</translation>
  </message>
  <message>
   <source>%1 as before</source>
   <translation>%1 wie zuvor</translation>
  </message>
  <message>
   <source>does not fit into memory</source>
   <translation>passt nicht in den Speicher</translation>
  </message>
  <message>
   <source>step %1</source>
   <translation>Schritt %1</translation>
  </message>
  <message>
   <source>slowest device %1</source>
   <translation>langsamstes Gerät %1</translation>
  </message>
  <message>
   <source>A step of all microbatches takes %1, by simulating the schedule. No plan with as many stages, on these devices and within these limits, takes less than %2.</source>
   <translation>Ein Schritt aller Mikrobatches dauert %1, nach Simulation des Ablaufs. Kein Plan mit ebenso vielen Stufen, auf diesen Geräten und in diesen Grenzen, braucht weniger als %2.</translation>
  </message>
  <message>
   <source>The slowest device takes %1 for one microbatch. No plan with as many stages, on these devices and within these limits, can have a slowest device faster than %2 (proven by: %3).</source>
   <translation>Das langsamste Gerät braucht %1 für einen Mikrobatch. Bei keinem Plan mit ebenso vielen Stufen, auf diesen Geräten und in diesen Grenzen, kann das langsamste Gerät schneller sein als %2 (bewiesen durch: %3).</translation>
  </message>
  <message>
   <source>%1 NaN</source>
   <translation>%1 NaN</translation>
  </message>
  <message>
   <source>%1 infinite</source>
   <translation>%1 unendlich</translation>
  </message>
  <message>
   <source>mean %1</source>
   <translation>Mittel %1</translation>
  </message>
  <message>
   <source>std %1</source>
   <translation>Std. %1</translation>
  </message>
  <message>
   <source>largest %1</source>
   <translation>größter %1</translation>
  </message>
  <message>
   <source>%1 zeros</source>
   <translation>%1 Nullen</translation>
  </message>
  <message>
   <source>1 op</source>
   <translation>1 Operation</translation>
  </message>
  <message>
   <source>%1 ops</source>
   <translation>%1 Operationen</translation>
  </message>
  <message>
   <source>estimated</source>
   <translation>geschätzt</translation>
  </message>
  <message>
   <source>not exact</source>
   <translation>nicht genau</translation>
  </message>
  <message>
   <source>measured</source>
   <translation>gemessen</translation>
  </message>
  <message>
   <source>imported</source>
   <translation>importiert</translation>
  </message>
  <message>
   <source>estimated, not checked against measurements</source>
   <translation>geschätzt, nicht an Messungen geprüft</translation>
  </message>
  <message>
   <source>estimated, usually within %1 %</source>
   <translation>geschätzt, meist auf %1 % genau</translation>
  </message>
  <message>
   <source>Times: %1</source>
   <translation>Zeiten: %1</translation>
  </message>
  <message>
   <source>By %1 operators in float32; other types and whole models are outside of what was checked</source>
   <translation>Nach %1 Operationen in float32; andere Typen und ganze Modelle liegen außerhalb dessen, was geprüft wurde</translation>
  </message>
  <message>
   <source>By %1 whole models</source>
   <translation>Nach %1 ganzen Modellen</translation>
  </message>
  <message>
   <source>By %1 whole models (%2); others are outside of what was checked</source>
   <translation>Nach %1 ganzen Modellen (%2); andere liegen außerhalb des Geprüften</translation>
  </message>
  <message>
   <source>mixed</source>
   <translation>gemischt</translation>
  </message>
  <message>
   <source>times measured</source>
   <translation>Zeiten gemessen</translation>
  </message>
  <message>
   <source>times imported</source>
   <translation>Zeiten importiert</translation>
  </message>
  <message>
   <source>not exact: %1 costed by size</source>
   <translation>nicht genau: %1 nach Größe geschätzt</translation>
  </message>
  <message>
   <source>Note</source>
   <translation>Hinweis</translation>
  </message>
  <message>
   <source>Warning</source>
   <translation>Warnung</translation>
  </message>
  <message>
   <source>Error</source>
   <translation>Fehler</translation>
  </message>
  <message>
   <source>Messages</source>
   <translation>Meldungen</translation>
  </message>
  <message>
   <source>Copy the message</source>
   <translation>Die Meldung kopieren</translation>
  </message>
  <message>
   <source>All messages; the one that is chosen is shown</source>
   <translation>Alle Meldungen; die gewählte wird gezeigt</translation>
  </message>
  <message>
   <source>Dismiss (Esc)</source>
   <translation>Schließen (Esc)</translation>
  </message>
  <message>
   <source>Dismiss the message</source>
   <translation>Die Meldung schließen</translation>
  </message>
  <message>
   <source>Details of the message</source>
   <translation>Einzelheiten der Meldung</translation>
  </message>
  <message>
   <source>%1 (%2 times)</source>
   <translation>%1 (%2-mal)</translation>
  </message>
  <message>
   <source>%1 more</source>
   <translation>%1 weitere</translation>
  </message>
  <message>
   <source>Close all</source>
   <translation>Alle schließen</translation>
  </message>
  <message>
   <source>Searching</source>
   <translation>Suche läuft</translation>
  </message>
  <message>
   <source>SVG (*.svg)</source>
   <translation>SVG (*.svg)</translation>
  </message>
  <message>
   <source>PDF (*.pdf)</source>
   <translation>PDF (*.pdf)</translation>
  </message>
  <message>
   <source>PNG (*.png)</source>
   <translation>PNG (*.png)</translation>
  </message>
  <message>
   <source>%1 min %2 s</source>
   <translation>%1 min %2 s</translation>
  </message>
  <message>
   <source>Running job</source>
   <translation>Laufende Aufgabe</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>Fortschritt</translation>
  </message>
  <message>
   <source>Cancel (Esc)</source>
   <translation>Abbrechen (Esc)</translation>
  </message>
  <message>
   <source>Cancel the job</source>
   <translation>Die Aufgabe abbrechen</translation>
  </message>
  <message>
   <source>Cancelling %1</source>
   <translation>%1 wird abgebrochen</translation>
  </message>
  <message>
   <source>%1, about %2 left</source>
   <translation>%1, noch etwa %2</translation>
  </message>
  <message>
   <source>parameters</source>
   <translation>Parameter</translation>
  </message>
  <message>
   <source>buffers</source>
   <translation>Puffer</translation>
  </message>
  <message>
   <source>inputs</source>
   <translation>Eingaben</translation>
  </message>
  <message>
   <source>optimizer state</source>
   <translation>Optimiererzustand</translation>
  </message>
  <message>
   <source>gradients</source>
   <translation>Gradienten</translation>
  </message>
  <message>
   <source>saved activations</source>
   <translation>behaltene Aktivierungen</translation>
  </message>
  <message>
   <source>outputs</source>
   <translation>Ausgaben</translation>
  </message>
  <message>
   <source>gradients in flight</source>
   <translation>Gradienten unterwegs</translation>
  </message>
  <message>
   <source>temporaries</source>
   <translation>Zwischenwerte</translation>
  </message>
  <message>
   <source>workspaces</source>
   <translation>Arbeitsspeicher der Kernel</translation>
  </message>
  <message>
   <source>forward</source>
   <translation>vorwärts</translation>
  </message>
  <message>
   <source>backward</source>
   <translation>rückwärts</translation>
  </message>
  <message>
   <source>optimizer</source>
   <translation>Optimierer</translation>
  </message>
  <message>
   <source>Mode</source>
   <translation>Modus</translation>
  </message>
  <message>
   <source>What a step is</source>
   <translation>Was ein Schritt ist</translation>
  </message>
  <message>
   <source>Training</source>
   <translation>Training</translation>
  </message>
  <message>
   <source>Inference</source>
   <translation>Inferenz</translation>
  </message>
  <message>
   <source>Lowering</source>
   <translation>Kernel</translation>
  </message>
  <message>
   <source>Which kernels an operator becomes: the device's own, an attention route, or (rough) those that torch.compile fuses</source>
   <translation>Zu welchen Kerneln ein Operator wird: denen des Geräts, einem Weg der Attention oder (grob) denen, die torch.compile zusammenlegt</translation>
  </message>
  <message>
   <source>The device's own</source>
   <translation>Die des Geräts</translation>
  </message>
  <message>
   <source>Math</source>
   <translation>Math</translation>
  </message>
  <message>
   <source>Memory-efficient</source>
   <translation>Speichersparend</translation>
  </message>
  <message>
   <source>The CPU's</source>
   <translation>Die der CPU</translation>
  </message>
  <message>
   <source>Compiled (rough)</source>
   <translation>Kompiliert (grob)</translation>
  </message>
  <message>
   <source>Optimizer</source>
   <translation>Optimierer</translation>
  </message>
  <message>
   <source>What updates the parameters</source>
   <translation>Was die Parameter aktualisiert</translation>
  </message>
  <message>
   <source>None</source>
   <translation>Keiner</translation>
  </message>
  <message>
   <source>SGD with momentum</source>
   <translation>SGD mit Momentum</translation>
  </message>
  <message>
   <source>Optimizer variant</source>
   <translation>Variante des Optimierers</translation>
  </message>
  <message>
   <source>How it goes about it; default: what torch.optim takes on the device</source>
   <translation>Wie er vorgeht; Voreinstellung: was torch.optim auf dem Gerät nimmt</translation>
  </message>
  <message>
   <source>As torch.optim takes it</source>
   <translation>Wie torch.optim es hält</translation>
  </message>
  <message>
   <source>One parameter after the other</source>
   <translation>Ein Parameter nach dem anderen</translation>
  </message>
  <message>
   <source>All parameters at once</source>
   <translation>Alle Parameter auf einmal</translation>
  </message>
  <message>
   <source>Fused</source>
   <translation>Verschmolzen (fused)</translation>
  </message>
  <message>
   <source>Precision</source>
   <translation>Genauigkeit</translation>
  </message>
  <message>
   <source>The type in which the step computes</source>
   <translation>Der Typ, in dem der Schritt rechnet</translation>
  </message>
  <message>
   <source>As exported</source>
   <translation>Wie exportiert</translation>
  </message>
  <message>
   <source>Those of the step before: dropped (set_to_none), or kept and added to</source>
   <translation>Die des vorigen Schritts: verworfen (set_to_none), oder behalten und aufaddiert</translation>
  </message>
  <message>
   <source>Dropped</source>
   <translation>Verworfen</translation>
  </message>
  <message>
   <source>Kept</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <source>Microbatches</source>
   <translation>Mikrobatches</translation>
  </message>
  <message>
   <source>How many microbatches a step has</source>
   <translation>Wie viele Mikrobatches ein Schritt hat</translation>
  </message>
  <message>
   <source>In which order devices run the microbatches</source>
   <translation>In welcher Reihenfolge Geräte die Mikrobatches rechnen</translation>
  </message>
  <message>
   <source>Looped breadth-first</source>
   <translation>Looped breadth-first</translation>
  </message>
  <message>
   <source>Sending</source>
   <translation>Senden</translation>
  </message>
  <message>
   <source>From stage to stage (relay) or straight to each reader</source>
   <translation>Von Stufe zu Stufe (relay) oder direkt zu jedem Leser</translation>
  </message>
  <message>
   <source>From stage to stage</source>
   <translation>Von Stufe zu Stufe</translation>
  </message>
  <message>
   <source>Straight to each reader</source>
   <translation>Direkt zu jedem Leser</translation>
  </message>
  <message>
   <source>Segments</source>
   <translation>Segmente</translation>
  </message>
  <message>
   <source>How PyTorch takes memory from the device: in pieces that stay as they are (fixed), or in one that grows (expandable, PYTORCH_ALLOC_CONF=expandable_segments:True)</source>
   <translation>Wie PyTorch Speicher vom Gerät nimmt: in Stücken, die bleiben, wie sie sind (fixed), oder in einem, das wächst (expandable, PYTORCH_ALLOC_CONF=expandable_segments:True)</translation>
  </message>
  <message>
   <source>Of fixed sizes</source>
   <translation>In festen Größen</translation>
  </message>
  <message>
   <source>Expandable</source>
   <translation>Erweiterbar</translation>
  </message>
  <message>
   <source>Run-time</source>
   <translation>Laufzeitumgebung</translation>
  </message>
  <message>
   <source>Whose buffers count as memory of the stages: nobody's (ideal), or those of torch.distributed.pipelining: one for each microbatch and way (torch-2.14: up to that version), or what crosses until its backward (torch-2.15), or those of exports, which make them in time for gpipe and 1f1b (exported)</source>
   <translation>Wessen Puffer als Speicher der Stufen zählen: niemandes (ideal) oder die von torch.distributed.pipelining: einer je Mikrobatch und Richtung (torch-2.14: bis zu dieser Version) oder was zwischen Stufen geht bis zu seinem Rückwärtslauf (torch-2.15), oder die der Exporte, die sie für gpipe und 1f1b erst anlegen, wenn sie gebraucht werden (exported)</translation>
  </message>
  <message>
   <source>PyTorch up to 2.14</source>
   <translation>PyTorch bis 2.14</translation>
  </message>
  <message>
   <source>PyTorch from 2.15</source>
   <translation>PyTorch ab 2.15</translation>
  </message>
  <message>
   <source>Objective</source>
   <translation>Ziel</translation>
  </message>
  <message>
   <source>What to make short: the slowest device by its computing and transfers (sum), its computing (compute) or the longest of them (overlap), or the simulated step (iteration). Without it sum, or iteration where stages share devices</source>
   <translation>Was kurz werden soll: das langsamste Gerät nach Rechnen und Übertragen (sum), nach Rechnen (compute) oder dem längsten davon (overlap), oder der simulierte Schritt (iteration). Ohne Angabe sum, oder iteration, wo Stufen sich Geräte teilen</translation>
  </message>
  <message>
   <source>Slowest device, with transfers</source>
   <translation>Langsamstes Gerät, mit Senden</translation>
  </message>
  <message>
   <source>Slowest device, computing alone</source>
   <translation>Langsamstes Gerät, nur Rechnen</translation>
  </message>
  <message>
   <source>Slowest device, transfers beside</source>
   <translation>Langsamstes Gerät, Senden daneben</translation>
  </message>
  <message>
   <source>Time of a step</source>
   <translation>Zeit eines Schritts</translation>
  </message>
  <message>
   <source>Recompute</source>
   <translation>Neuberechnung</translation>
  </message>
  <message>
   <source>What backward runs again instead of having it kept (torch.utils.checkpoint): what the file says, nothing, every block ('every N': each N-th), blocks but for matrix products, convolutions and attention ('ops LIST': but for these), or as little as the memory limit demands</source>
   <translation>Was rückwärts noch einmal läuft, statt behalten zu werden (torch.utils.checkpoint): was die Datei sagt, nichts, jeder Block ('every N': jeder N-te), Blöcke ohne Matrixprodukte, Faltungen und Attention ('ops LIST': ohne diese), oder so wenig, wie die Speichergrenze verlangt</translation>
  </message>
  <message>
   <source>As the model says</source>
   <translation>Wie das Modell sagt</translation>
  </message>
  <message>
   <source>Nothing</source>
   <translation>Nichts</translation>
  </message>
  <message>
   <source>Every block</source>
   <translation>Jeder Block</translation>
  </message>
  <message>
   <source>Every second block</source>
   <translation>Jeder zweite Block</translation>
  </message>
  <message>
   <source>Blocks, but matrix products</source>
   <translation>Blöcke ohne Matrixprodukte</translation>
  </message>
  <message>
   <source>As little as memory demands</source>
   <translation>So wenig, wie der Speicher verlangt</translation>
  </message>
  <message>
   <source>Seed</source>
   <translation>Startwert</translation>
  </message>
  <message>
   <source>Seed of the search's random orders</source>
   <translation>Startwert der zufälligen Reihenfolgen der Suche</translation>
  </message>
  <message>
   <source>stage %1</source>
   <translation>Stufe %1</translation>
  </message>
  <message>
   <source>stages %1 and %2</source>
   <translation>Stufen %1 und %2</translation>
  </message>
  <message>
   <source>boundary %1|%2</source>
   <translation>Grenze %1|%2</translation>
  </message>
  <message>
   <source>device %1 (%2)</source>
   <translation>Gerät %1 (%2)</translation>
  </message>
  <message>
   <source>Memory of each stage, without others on its device</source>
   <translation>Speicher jeder Stufe, ohne andere auf ihrem Gerät</translation>
  </message>
  <message>
   <source>Memory of each stage's device</source>
   <translation>Speicher des Geräts jeder Stufe</translation>
  </message>
  <message>
   <source>, limit %1</source>
   <translation>, Grenze %1</translation>
  </message>
  <message>
   <source>; dotted: if nothing ran again, up to %1</source>
   <translation>; gepunktet: wenn nichts noch einmal liefe, bis %1</translation>
  </message>
  <message>
   <source>weights, state, buffers</source>
   <translation>Gewichte, Zustand, Puffer</translation>
  </message>
  <message>
   <source>kept for backward</source>
   <translation>bis zum Rückwärtslauf behalten</translation>
  </message>
  <message>
   <source>peak</source>
   <translation>Spitze</translation>
  </message>
  <message>
   <source>limit</source>
   <translation>Grenze</translation>
  </message>
  <message>
   <source>above it</source>
   <translation>darüber</translation>
  </message>
  <message>
   <source>while it runs again</source>
   <translation>während es noch einmal läuft</translation>
  </message>
  <message>
   <source>%1 · %2 held</source>
   <translation>%1 · %2 gehalten</translation>
  </message>
  <message>
   <source> · %1 if nothing ran again</source>
   <translation> · %1, wenn nichts noch einmal liefe</translation>
  </message>
  <message>
   <source> · its region takes %1 while it does</source>
   <translation> · ihr Bereich braucht dabei %1</translation>
  </message>
  <message>
   <source>Time of each op: forward up, backward down</source>
   <translation>Zeit jeder Operation: vorwärts nach oben, rückwärts nach unten</translation>
  </message>
  <message>
   <source>Time of each op</source>
   <translation>Zeit jeder Operation</translation>
  </message>
  <message>
   <source>; %1 taller than the scale cut off (//)</source>
   <translation>; %1 höher als die Skala, abgeschnitten (//)</translation>
  </message>
  <message>
   <source>forward %1 · backward %2</source>
   <translation>vorwärts %1 · rückwärts %2</translation>
  </message>
  <message>
   <source>Bytes across a boundary, both ways, for one microbatch</source>
   <translation>Bytes über eine Grenze, in beide Richtungen, für einen Mikrobatch</translation>
  </message>
  <message>
   <source>Bytes across a boundary, for one microbatch</source>
   <translation>Bytes über eine Grenze, für einen Mikrobatch</translation>
  </message>
  <message>
   <source>least</source>
   <translation>mindestens</translation>
  </message>
  <message>
   <source>most, where ops are narrower than a pixel</source>
   <translation>höchstens, wo Operatoren schmaler als ein Bildpunkt sind</translation>
  </message>
  <message>
   <source>%1 before it</source>
   <translation>%1 davor</translation>
  </message>
  <message>
   <source>%1, by logarithm</source>
   <translation>%1, logarithmisch</translation>
  </message>
  <message>
   <source>Logarithmic values</source>
   <translation>Logarithmische Werte</translation>
  </message>
  <message>
   <source>Memory, time and bytes across a boundary appear here once the model is profiled.</source>
   <translation>Speicher, Zeit und Bytes über eine Grenze erscheinen hier, sobald die Kosten des Modells ermittelt sind.</translation>
  </message>
  <message>
   <source>Memory, time and bytes across a boundary along the execution order</source>
   <translation>Speicher, Zeit und Bytes über eine Grenze in der Reihenfolge der Ausführung</translation>
  </message>
  <message>
   <source>Charts along the execution order</source>
   <translation>Kurven in der Reihenfolge der Ausführung</translation>
  </message>
  <message>
   <source>Brackets choose a boundary, arrow keys move it; the stages table shows the same figures</source>
   <translation>Klammern wählen eine Grenze, Pfeiltasten verschieben sie; die Tabelle der Stufen zeigt dieselben Zahlen</translation>
  </message>
  <message>
   <source>by op</source>
   <translation>nach Operationen</translation>
  </message>
  <message>
   <source>by time</source>
   <translation>nach Zeit</translation>
  </message>
  <message>
   <source>Execution axis</source>
   <translation>Achse der Ausführung</translation>
  </message>
  <message>
   <source>Number the ops, or give each its time: then an even split has even lines</source>
   <translation>Die Operationen nummerieren, oder jeder ihre Zeit geben: dann hat eine gleichmäßige Aufteilung gleichmäßige Linien</translation>
  </message>
  <message>
   <source>Show times and bytes by their logarithm: small ones beside large ones</source>
   <translation>Zeiten und Bytes logarithmisch zeigen: kleine neben großen</translation>
  </message>
  <message>
   <source>Compare 1 to 16 stages</source>
   <translation>1 bis 16 Stufen vergleichen</translation>
  </message>
  <message>
   <source>What do more devices bring? The best plan for each number of stages, with its time, memory and bubble; what runs again is as in the present plan.</source>
   <translation>Was bringen mehr Geräte? Der beste Plan für jede Zahl von Stufen, mit Zeit, Speicher und Leerlauf; was wiederholt wird, ist wie im jetzigen Plan.</translation>
  </message>
  <message>
   <source>Plans for every number of stages can be compared here once a model is profiled.</source>
   <translation>Pläne für jede Zahl von Stufen können hier verglichen werden, sobald die Kosten eines Modells ermittelt sind.</translation>
  </message>
  <message>
   <source>The best plan for every number of stages; Enter adopts one</source>
   <translation>Der beste Plan für jede Zahl von Stufen; Eingabe übernimmt einen</translation>
  </message>
  <message>
   <source>Plans by number of stages</source>
   <translation>Pläne nach Zahl der Stufen</translation>
  </message>
  <message>
   <source>Adopt this plan</source>
   <translation>Diesen Plan übernehmen</translation>
  </message>
  <message>
   <source>Differences are to B</source>
   <translation>Unterschiede sind zu B</translation>
  </message>
  <message>
   <source>The table beside it has the same figures</source>
   <translation>Die Tabelle daneben hat dieselben Zahlen</translation>
  </message>
  <message>
   <source>Slowest device, for one microbatch; below it what no plan can beat</source>
   <translation>Langsamstes Gerät, für einen Mikrobatch; darunter, was kein Plan unterbieten kann</translation>
  </message>
  <message>
   <source>Peak memory of the fullest device; hollow: over the limit</source>
   <translation>Speicherspitze des vollsten Geräts; hohl: über der Grenze</translation>
  </message>
  <message>
   <source>Bubble: share of all devices' time in which they wait</source>
   <translation>Leerlauf: Anteil der Zeit aller Geräte, in der sie warten</translation>
  </message>
  <message>
   <source>to come</source>
   <translation>folgt</translation>
  </message>
  <message>
   <source>no plan</source>
   <translation>kein Plan</translation>
  </message>
  <message>
   <source>over the limit</source>
   <translation>über der Grenze</translation>
  </message>
  <message>
   <source>How many stages, as many to each device as now; starred where no other number is better in time, memory and bytes sent together</source>
   <translation>Wie viele Stufen, ebenso viele je Gerät wie jetzt; mit Stern, wo keine andere Zahl in Zeit, Speicher und gesendeten Bytes zugleich besser ist</translation>
  </message>
  <message>
   <source>Slowest device</source>
   <translation>Langsamstes Gerät</translation>
  </message>
  <message>
   <source>What the slowest device takes for one microbatch: it sets the pace</source>
   <translation>Was das langsamste Gerät für einen Mikrobatch braucht: es bestimmt das Tempo</translation>
  </message>
  <message>
   <source>Speed-up</source>
   <translation>Beschleunigung</translation>
  </message>
  <message>
   <source>How many times faster a training step is than on one device, and what share of that many devices' time it uses</source>
   <translation>Wievielmal schneller ein Trainingsschritt ist als auf einem Gerät, und welchen Anteil der Zeit so vieler Geräte er nutzt</translation>
  </message>
  <message>
   <source>Peak memory</source>
   <translation>Speicherspitze</translation>
  </message>
  <message>
   <source>The most that any of the devices holds at once</source>
   <translation>Das meiste, was eines der Geräte zugleich hält</translation>
  </message>
  <message>
   <source>Bubble</source>
   <translation>Leerlauf</translation>
  </message>
  <message>
   <source>The share of all devices' time in which they wait</source>
   <translation>Der Anteil der Zeit aller Geräte, in der sie warten</translation>
  </message>
  <message>
   <source>Quality</source>
   <translation>Güte</translation>
  </message>
  <message>
   <source>How far the plan can be from the best of that many stages</source>
   <translation>Wie weit der Plan vom besten mit so vielen Stufen entfernt sein kann</translation>
  </message>
  <message>
   <source>allocated %1, reserved %2, on the device %3</source>
   <translation>belegt %1, reserviert %2, auf dem Gerät %3</translation>
  </message>
  <message>
   <source>Here %1, in B %2</source>
   <translation>Hier %1, in B %2</translation>
  </message>
  <message>
   <source>Memory at the peak by category</source>
   <translation>Speicher in der Spitze nach Arten</translation>
  </message>
  <message>
   <source>free on the device</source>
   <translation>frei auf dem Gerät</translation>
  </message>
  <message>
   <source>What a training step holds in memory appears here once a model is profiled.</source>
   <translation>Was ein Trainingsschritt im Speicher hält, erscheint hier, sobald die Kosten eines Modells ermittelt sind.</translation>
  </message>
  <message>
   <source>What a step of the whole model holds on one device, and at its peak</source>
   <translation>Was ein Schritt des ganzen Modells auf einem Gerät hält, und in der Spitze</translation>
  </message>
  <message>
   <source>Looks for the largest batch with which a step of the whole model stays within the device's memory</source>
   <translation>Sucht den größten Batch, mit dem ein Schritt des ganzen Modells im Speicher des Geräts bleibt</translation>
  </message>
  <message>
   <source>by category</source>
   <translation>nach Art</translation>
  </message>
  <message>
   <source>by module</source>
   <translation>nach Modul</translation>
  </message>
  <message>
   <source>How memory is listed</source>
   <translation>Wie der Speicher aufgeführt wird</translation>
  </message>
  <message>
   <source>Alive at the peak</source>
   <translation>In der Spitze am Leben</translation>
  </message>
  <message>
   <source>Bytes</source>
   <translation>Bytes</translation>
  </message>
  <message>
   <source>Share</source>
   <translation>Anteil</translation>
  </message>
  <message>
   <source>What is alive at the peak</source>
   <translation>Was in der Spitze am Leben ist</translation>
  </message>
  <message>
   <source>Find largest batch</source>
   <translation>Größten Batch finden</translation>
  </message>
  <message>
   <source>How large may the batch be?</source>
   <translation>Wie groß darf der Batch sein?</translation>
  </message>
  <message>
   <source>A training step of the whole model</source>
   <translation>Ein Trainingsschritt des ganzen Modells</translation>
  </message>
  <message>
   <source>An inference of the whole model</source>
   <translation>Eine Inferenz des ganzen Modells</translation>
  </message>
  <message>
   <source>fits on one %1</source>
   <translation>passt auf 1 × %1</translation>
  </message>
  <message>
   <source>does not fit on one %1</source>
   <translation>passt nicht auf 1 × %1</translation>
  </message>
  <message>
   <source>&lt;b&gt;%1&lt;/b&gt; allocated · &lt;b&gt;%2&lt;/b&gt; reserved · &lt;b&gt;%3&lt;/b&gt; on the device, of %4</source>
   <translation>&lt;b&gt;%1&lt;/b&gt; belegt · &lt;b&gt;%2&lt;/b&gt; reserviert · &lt;b&gt;%3&lt;/b&gt; auf dem Gerät, von %4</translation>
  </message>
  <message>
   <source> · &lt;b&gt;not exact&lt;/b&gt;</source>
   <translation> · &lt;b&gt;nicht genau&lt;/b&gt;</translation>
  </message>
  <message>
   <source>Allocated: tensors, each rounded up to 512 bytes.
Reserved: what PyTorch's caching allocator takes from the device to serve them.
On the device: with what the driver's context takes.
First step: %1.
Later steps: %2.</source>
   <translation>Belegt: Tensoren, jeder auf 512 Byte aufgerundet.
Reserviert: was der Allocator von PyTorch dafür vom Gerät nimmt.
Auf dem Gerät: mit dem, was der Kontext des Treibers nimmt.
Erster Schritt: %1.
Spätere Schritte: %2.</translation>
  </message>
  <message>
   <source>Peak: %1</source>
   <translation>Spitze: %1</translation>
  </message>
  <message>
   <source>and %1 more</source>
   <translation>und %1 weitere</translation>
  </message>
  <message>
   <source>the step itself</source>
   <translation>der Schritt selbst</translation>
  </message>
  <message>
   <source>of no op</source>
   <translation>von keiner Operation</translation>
  </message>
  <message>
   <source>inputs, the loss</source>
   <translation>Eingaben, der Loss</translation>
  </message>
  <message>
   <source>run again</source>
   <translation>noch einmal ausgeführt</translation>
  </message>
  <message>
   <source>%1 of %2 (%3)</source>
   <translation>%1 von %2 (%3)</translation>
  </message>
  <message>
   <source>No input of this model has a batch dimension.</source>
   <translation>Keine Eingabe dieses Modells hat eine Batch-Dimension.</translation>
  </message>
  <message>
   <source>Not even a batch of 1 fits.</source>
   <translation>Nicht einmal ein Batch von 1 passt.</translation>
  </message>
  <message>
   <source>At most %1 in a batch: %2</source>
   <translation>Höchstens %1 in einem Batch: %2</translation>
  </message>
  <message>
   <source> (the file fixes the batch: what the step adds is taken to grow with it)</source>
   <translation> (die Datei legt den Batch fest: angenommen, was der Schritt hinzufügt, wächst mit ihm)</translation>
  </message>
  <message>
   <source> (the file allows no more)</source>
   <translation> (mehr lässt die Datei nicht zu)</translation>
  </message>
  <message>
   <source>Memory at the peak</source>
   <translation>Speicher in der Spitze</translation>
  </message>
  <message>
   <source>Kept for backward</source>
   <translation>Für rückwärts behalten</translation>
  </message>
  <message>
   <source>Parameters</source>
   <translation>Parameter</translation>
  </message>
  <message>
   <source>What each module takes appears here once the model is profiled.</source>
   <translation>Was jedes Modul braucht, erscheint hier, sobald die Kosten des Modells ermittelt sind.</translation>
  </message>
  <message>
   <source>Where time and memory go, by module</source>
   <translation>Wohin Zeit und Speicher gehen, nach Modulen</translation>
  </message>
  <message>
   <source>Treemap</source>
   <translation>Kacheln</translation>
  </message>
  <message>
   <source>Flame graph</source>
   <translation>Flammengraph</translation>
  </message>
  <message>
   <source>Shape</source>
   <translation>Form</translation>
  </message>
  <message>
   <source>What sizes stand for</source>
   <translation>Wofür die Größen stehen</translation>
  </message>
  <message>
   <source>What colours stand for</source>
   <translation>Wofür Farben stehen</translation>
  </message>
  <message>
   <source>Which module is shown</source>
   <translation>Welches Modul gezeigt wird</translation>
  </message>
  <message>
   <source>Nothing of this model takes any: choose another measure.</source>
   <translation>Nichts in diesem Modell braucht davon etwas: bitte ein anderes Maß wählen.</translation>
  </message>
  <message>
   <source>Modules</source>
   <translation>Module</translation>
  </message>
  <message>
   <source>What each module takes of the model, as boxes within boxes</source>
   <translation>Was jedes Modul vom Modell braucht, als Kästen in Kästen</translation>
  </message>
  <message>
   <source>own ops</source>
   <translation>eigene Operationen</translation>
  </message>
  <message>
   <source>%1: ops of no module below</source>
   <translation>%1: Operationen keines Moduls darunter</translation>
  </message>
  <message>
   <source>several stages</source>
   <translation>mehrere Stufen</translation>
  </message>
  <message>
   <source>%1
%2: %3, %4 of all
%5, %6</source>
   <translation>%1
%2: %3, %4 von allem
%5, %6</translation>
  </message>
  <message>
   <source> (own ops)</source>
   <translation> (eigene Operationen)</translation>
  </message>
  <message>
   <source>Save picture…</source>
   <translation>Bild speichern…</translation>
  </message>
  <message>
   <source>Save the picture</source>
   <translation>Das Bild speichern</translation>
  </message>
  <message>
   <source>Save series…</source>
   <translation>Werte speichern…</translation>
  </message>
  <message>
   <source>Save the series</source>
   <translation>Die Werte speichern</translation>
  </message>
  <message>
   <source>Comma-separated values (*.csv)</source>
   <translation>Durch Komma getrennte Werte (*.csv)</translation>
  </message>
  <message>
   <source>transfer</source>
   <translation>Übertragung</translation>
  </message>
  <message>
   <source>decides the step</source>
   <translation>bestimmt den Schritt</translation>
  </message>
  <message>
   <source>Take the step below away</source>
   <translation>Den Schritt darunter wegnehmen</translation>
  </message>
  <message>
   <source>The timeline of a step, a row a device</source>
   <translation>Die Zeitleiste eines Schritts, eine Zeile je Gerät</translation>
  </message>
  <message>
   <source>below, B: %1: %2</source>
   <translation>darunter, B: %1: %2</translation>
  </message>
  <message>
   <source>below, measured: %1</source>
   <translation>darunter, gemessen: %1</translation>
  </message>
  <message>
   <source>B shows again without it</source>
   <translation>Ohne ihn erscheint wieder B</translation>
  </message>
  <message>
   <source>The timeline of a step shows here once there is a plan.</source>
   <translation>Die Zeitleiste eines Schritts erscheint hier, sobald es einen Plan gibt.</translation>
  </message>
  <message>
   <source>gradients of inputs</source>
   <translation>Gradienten der Eingaben</translation>
  </message>
  <message>
   <source>gradients of weights</source>
   <translation>Gradienten der Gewichte</translation>
  </message>
  <message>
   <source>step %1, bubble %2: schedule %3, imbalance %4, transfers %5</source>
   <translation>Schritt %1, Leerlauf %2: Ablauf %3, Ungleichgewicht %4, Übertragungen %5</translation>
  </message>
  <message>
   <source>%1: %2 of microbatch %3
%4, from %5</source>
   <translation>%1: %2 von Mikrobatch %3
%4, ab %5</translation>
  </message>
  <message>
   <source>
before it %1 of receiving</source>
   <translation>
davor %1 Empfangen</translation>
  </message>
  <message>
   <source>
runs as one with the action behind it</source>
   <translation>
läuft mit der Aktion dahinter als eine</translation>
  </message>
  <message>
   <source>
after it %1 of sending</source>
   <translation>
danach %1 Senden</translation>
  </message>
  <message>
   <source>Device %1 holds %2 at %3, %4 at most</source>
   <translation>Gerät %1 hält %2 bei %3, höchstens %4</translation>
  </message>
  <message>
   <source>, its limit is %1</source>
   <translation>, seine Grenze ist %1</translation>
  </message>
  <message>
   <source>%1 of microbatch %2</source>
   <translation>%1 von Mikrobatch %2</translation>
  </message>
  <message>
   <source>waits</source>
   <translation>wartet</translation>
  </message>
  <message>
   <source>over its limit of %1</source>
   <translation>über der Grenze von %1</translation>
  </message>
  <message>
   <source>limit %1</source>
   <translation>Grenze %1</translation>
  </message>
  <message>
   <source>Parameters, gradients, optimizer state, buffers</source>
   <translation>Parameter, Gradienten, Optimiererzustand, Puffer</translation>
  </message>
  <message>
   <source>Kept for microbatches: %1</source>
   <translation>Für Mikrobatches behalten: %1</translation>
  </message>
  <message>
   <source>The most that is alive besides while it runs</source>
   <translation>Was höchstens daneben lebt, während sie läuft</translation>
  </message>
  <message>
   <source>Gradients that wait for those of weights, and what was sent</source>
   <translation>Gradienten, die auf die der Gewichte warten, und Gesendetes</translation>
  </message>
  <message>
   <source>Peak of %1: %2 at %3</source>
   <translation>Spitze von %1: %2 bei %3</translation>
  </message>
  <message>
   <source>Device %1</source>
   <translation>Gerät %1</translation>
  </message>
  <message>
   <source>dashed: what the stages of a device hold together</source>
   <translation>gestrichelt: was die Stufen eines Geräts zusammen halten</translation>
  </message>
  <message>
   <source>Limit %1</source>
   <translation>Grenze %1</translation>
  </message>
  <message>
   <source>Limit of %1: %2</source>
   <translation>Grenze von %1: %2</translation>
  </message>
  <message>
   <source>all stages take %1 times as long</source>
   <translation>alle Stufen brauchen %1-mal so lange</translation>
  </message>
  <message>
   <source>waiting, and microbatches that differ</source>
   <translation>Warten, und ungleiche Mikrobatches</translation>
  </message>
  <message>
   <source>waiting: sends, and microbatches that differ</source>
   <translation>Warten: Senden, und ungleiche Mikrobatches</translation>
  </message>
  <message>
   <source>before the first action and after the last</source>
   <translation>vor der ersten Aktion und nach der letzten</translation>
  </message>
  <message>
   <source>sends</source>
   <translation>Senden</translation>
  </message>
  <message>
   <source>%1 is slower than others</source>
   <translation>%1 ist langsamer als andere</translation>
  </message>
  <message>
   <source>%1 is faster than others</source>
   <translation>%1 ist schneller als andere</translation>
  </message>
  <message>
   <source>%1, as planned</source>
   <translation>%1, wie geplant</translation>
  </message>
  <message>
   <source>%1, %2 shorter than planned: %3</source>
   <translation>%1, %2 kürzer als geplant: %3</translation>
  </message>
  <message>
   <source>%1, %2 longer than planned: %3</source>
   <translation>%1, %2 länger als geplant: %3</translation>
  </message>
  <message>
   <source>measured %1, from %2: %3 %4, %5 %6</source>
   <translation>gemessen %1, ab %2: %3 %4, %5 %6</translation>
  </message>
  <message>
   <source>shorter</source>
   <translation>kürzer</translation>
  </message>
  <message>
   <source>longer</source>
   <translation>länger</translation>
  </message>
  <message>
   <source>earlier</source>
   <translation>früher</translation>
  </message>
  <message>
   <source>later</source>
   <translation>später</translation>
  </message>
  <message>
   <source>Other microbatches, run-time buffers</source>
   <translation>Andere Mikrobatches, Puffer der Laufzeit</translation>
  </message>
  <message>
   <source>Position</source>
   <translation>Position</translation>
  </message>
  <message>
   <source>Moment</source>
   <translation>Zeitpunkt</translation>
  </message>
  <message>
   <source>What a step holds at every moment appears here once the model is profiled.</source>
   <translation>Was ein Schritt in jedem Augenblick hält, erscheint hier, sobald die Kosten des Modells ermittelt sind.</translation>
  </message>
  <message>
   <source>What is alive over a whole step, by category</source>
   <translation>Was über einen ganzen Schritt am Leben ist, nach Arten</translation>
  </message>
  <message>
   <source>Whose memory</source>
   <translation>Wessen Speicher</translation>
  </message>
  <message>
   <source>Memory over the step</source>
   <translation>Speicher über den Schritt</translation>
  </message>
  <message>
   <source>Memory of all stages over the step</source>
   <translation>Speicher aller Stufen über den Schritt</translation>
  </message>
  <message>
   <source>Alive then</source>
   <translation>Dann am Leben</translation>
  </message>
  <message>
   <source>What is alive then</source>
   <translation>Was dann am Leben ist</translation>
  </message>
  <message>
   <source>Memory of all stages</source>
   <translation>Speicher aller Stufen</translation>
  </message>
  <message>
   <source>Whole model on one device</source>
   <translation>Ganzes Modell auf einem Gerät</translation>
  </message>
  <message>
   <source>All stages over the step</source>
   <translation>Alle Stufen über den Schritt</translation>
  </message>
  <message>
   <source>The step of this plan is not known yet.</source>
   <translation>Der Schritt dieses Plans ist noch nicht bekannt.</translation>
  </message>
  <message>
   <source>%1: %2 alive</source>
   <translation>%1: %2 am Leben</translation>
  </message>
  <message>
   <source>Peak %2 at %1</source>
   <translation>Spitze %2 bei %1</translation>
  </message>
  <message>
   <source>With the difference from B at the same moment; at the peak, from B's own peak</source>
   <translation>Mit dem Unterschied zu B im selben Augenblick; beim Höchststand zu dem von B</translation>
  </message>
  <message>
   <source>Step</source>
   <translation>Schritt</translation>
  </message>
  <message>
   <source>The simulated time of a whole step, all microbatches</source>
   <translation>Die simulierte Zeit eines ganzen Schritts, aller Mikrobatches</translation>
  </message>
  <message>
   <source>What the slowest device takes for one microbatch</source>
   <translation>Was das langsamste Gerät für einen Mikrobatch braucht</translation>
  </message>
  <message>
   <source>Sent</source>
   <translation>Gesendet</translation>
  </message>
  <message>
   <source>Bytes sent between stages for one microbatch</source>
   <translation>Zwischen Stufen gesendete Bytes für einen Mikrobatch</translation>
  </message>
  <message>
   <source>How far the plan can be from the best that gives up nothing</source>
   <translation>Wie weit der Plan vom besten entfernt sein kann, der nichts preisgibt</translation>
  </message>
  <message>
   <source>Asked for</source>
   <translation>Gefragt nach</translation>
  </message>
  <message>
   <source>What the search was asked for to get this plan</source>
   <translation>Wonach gesucht wurde, um diesen Plan zu finden</translation>
  </message>
  <message>
   <source>Does not fit into memory</source>
   <translation>Passt nicht in den Speicher</translation>
  </message>
  <message>
   <source>Find trade-offs</source>
   <translation>Kompromisse finden</translation>
  </message>
  <message>
   <source>What would a little more time save? Plans of as many stages that need less memory or send less.</source>
   <translation>Was würde etwas mehr Zeit sparen? Pläne mit ebenso vielen Stufen, die weniger Speicher brauchen oder weniger senden.</translation>
  </message>
  <message>
   <source>Plans that trade time for memory or for bytes sent can be found here once a model is profiled.</source>
   <translation>Pläne, die Zeit gegen Speicher oder gesendete Bytes tauschen, können hier gefunden werden, sobald die Kosten eines Modells ermittelt sind.</translation>
  </message>
  <message>
   <source>Plans none of which is the best in time, memory and bytes sent; Enter adopts one</source>
   <translation>Pläne, von denen keiner in Zeit, Speicher und gesendeten Bytes der beste ist; Eingabe übernimmt einen</translation>
  </message>
  <message>
   <source>Plans that trade time for memory or bytes</source>
   <translation>Pläne, die Zeit gegen Speicher oder Bytes tauschen</translation>
  </message>
  <message>
   <source>1 line</source>
   <translation>1 Zeile</translation>
  </message>
  <message>
   <source>%1 lines</source>
   <translation>%1 Zeilen</translation>
  </message>
  <message>
   <source>⋯ %1 alike</source>
   <translation>⋯ %1 gleich</translation>
  </message>
  <message>
   <source>The code of this stage is the same in %1 and %2</source>
   <translation>Der Code dieser Stufe ist in %1 und %2 gleich</translation>
  </message>
  <message>
   <source>%1 only in %2 (−), %3 only in %4 (+)</source>
   <translation>%1 nur in %2 (−), %3 nur in %4 (+)</translation>
  </message>
  <message>
   <source>Lines of the code that differ</source>
   <translation>Zeilen des Codes, die sich unterscheiden</translation>
  </message>
  <message>
   <source>The code of two plans is compared here once both have some.</source>
   <translation>Der Code zweier Pläne wird hier verglichen, sobald beide welchen haben.</translation>
  </message>
  <message>
   <source>Code compared</source>
   <translation>Code im Vergleich</translation>
  </message>
  <message>
   <source>%1: the same code</source>
   <translation>%1: derselbe Code</translation>
  </message>
  <message>
   <source>%1: the code differs</source>
   <translation>%1: anderer Code</translation>
  </message>
  <message>
   <source>Python code of the stage</source>
   <translation>Python-Code der Stufe</translation>
  </message>
  <message>
   <source>the code before</source>
   <translation>der Code davor</translation>
  </message>
  <message>
   <source>the code now</source>
   <translation>der Code jetzt</translation>
  </message>
  <message>
   <source>1 value</source>
   <translation>1 Wert</translation>
  </message>
  <message>
   <source>%1 values</source>
   <translation>%1 Werte</translation>
  </message>
  <message>
   <source>  and %1 more</source>
   <translation>  und %1 weitere</translation>
  </message>
  <message>
   <source>%1 and %2 more</source>
   <translation>%1 und %2 weitere</translation>
  </message>
  <message>
   <source>Time: %1 forward, %2 backward</source>
   <translation>Zeit: %1 vorwärts, %2 rückwärts</translation>
  </message>
  <message>
   <source>Makes %1; keeps %2 for the backward pass</source>
   <translation>Erzeugt %1; behält %2 für rückwärts</translation>
  </message>
  <message>
   <source>Values</source>
   <translation>Werte</translation>
  </message>
  <message>
   <source>Gradient</source>
   <translation>Gradient</translation>
  </message>
  <message>
   <source>Takes %1 from the caller</source>
   <translation>Nimmt %1 vom Aufrufer</translation>
  </message>
  <message>
   <source>Receives %1 from stage %2</source>
   <translation>Empfängt %1 von Stufe %2</translation>
  </message>
  <message>
   <source>Returns %1</source>
   <translation>Gibt %1 zurück</translation>
  </message>
  <message>
   <source>Sends %1 to stage %2</source>
   <translation>Sendet %1 an Stufe %2</translation>
  </message>
  <message>
   <source>Copy page</source>
   <translation>Seite kopieren</translation>
  </message>
  <message>
   <source>Save page…</source>
   <translation>Seite speichern…</translation>
  </message>
  <message>
   <source>Short lines</source>
   <translation>Kurze Zeilen</translation>
  </message>
  <message>
   <source>Lines that fit the view; an export writes them as they are without</source>
   <translation>Zeilen, die in die Ansicht passen; ein Export schreibt sie, wie sie ohne dies sind</translation>
  </message>
  <message>
   <source>Fold modules</source>
   <translation>Module falten</translation>
  </message>
  <message>
   <source>Unfold all</source>
   <translation>Alles entfalten</translation>
  </message>
  <message>
   <source>Code of the stage</source>
   <translation>Code der Stufe</translation>
  </message>
  <message>
   <source>Differences from before the last move</source>
   <translation>Unterschiede zu vor der letzten Bewegung</translation>
  </message>
  <message>
   <source>Source of the model</source>
   <translation>Quelltext des Modells</translation>
  </message>
  <message>
   <source>Save the page</source>
   <translation>Die Seite speichern</translation>
  </message>
  <message>
   <source>Python (*.py)</source>
   <translation>Python (*.py)</translation>
  </message>
  <message>
   <source>Differences (*.diff)</source>
   <translation>Unterschiede (*.diff)</translation>
  </message>
  <message>
   <source>updating</source>
   <translation>wird erneuert</translation>
  </message>
  <message>
   <source>The code of each stage appears here once the model is split.</source>
   <translation>Der Code jeder Stufe erscheint hier, sobald das Modell aufgeteilt ist.</translation>
  </message>
  <message>
   <source>Python code of each stage with the cost of every line</source>
   <translation>Python-Code jeder Stufe mit den Kosten jeder Zeile</translation>
  </message>
  <message>
   <source>cost</source>
   <translation>Kosten</translation>
  </message>
  <message>
   <source>statistics</source>
   <translation>Statistik</translation>
  </message>
  <message>
   <source>Beside the lines</source>
   <translation>Neben den Zeilen</translation>
  </message>
  <message>
   <source>What stands beside the lines. Cost: the op's time and the bytes it makes. Statistics: the standard deviation of its values (-&gt;) and of their gradient (&lt;-) in a real training step on this machine</source>
   <translation>Was neben den Zeilen steht. Kosten: die Zeit der Operation und die Bytes, die sie erzeugt. Statistik: die Standardabweichung ihrer Werte (-&gt;) und ihres Gradienten (&lt;-) in einem echten Trainingsschritt auf diesem Rechner</translation>
  </message>
  <message>
   <source>Copy, save and more</source>
   <translation>Kopieren, speichern und mehr</translation>
  </message>
  <message>
   <source>%1 of %2, stage_%3.py when exported</source>
   <translation>%1 von %2, als Export stage_%3.py</translation>
  </message>
  <message>
   <source>%1:%2 in %3</source>
   <translation>%1:%2 in %3</translation>
  </message>
  <message>
   <source>%1, line %2</source>
   <translation>%1, Zeile %2</translation>
  </message>
  <message>
   <source>Line of the source, from the innermost call outwards</source>
   <translation>Zeile des Quelltexts, vom innersten Aufruf nach außen</translation>
  </message>
  <message>
   <source>Select an op to see the line of the model that it comes from.</source>
   <translation>Wählen Sie eine Operation, um die Zeile des Modells zu sehen, aus der sie stammt.</translation>
  </message>
  <message>
   <source>The model's file does not say where %1 comes from: it was exported without the lines of its source.</source>
   <translation>Die Datei des Modells sagt nicht, woher %1 stammt: sie wurde ohne die Zeilen des Quelltexts exportiert.</translation>
  </message>
  <message>
   <source>
The export wrote down: %1</source>
   <translation>
Der Export notierte: %1</translation>
  </message>
  <message>
   <source>%1
This file is not on this machine; put a copy beside the model's file to see it.</source>
   <translation>%1
Diese Datei ist nicht auf diesem Rechner; legen Sie eine Kopie neben die Datei des Modells, um sie zu sehen.</translation>
  </message>
  <message>
   <source>
The file has changed since the export.</source>
   <translation>
Die Datei wurde seit dem Export geändert.</translation>
  </message>
  <message>
   <source>This boundary is locked; L unlocks it</source>
   <translation>Diese Grenze ist gesperrt; L entsperrt sie</translation>
  </message>
  <message>
   <source>This boundary cannot move: what is beside it belongs together</source>
   <translation>Diese Grenze kann nicht bewegt werden: was daneben liegt, gehört zusammen</translation>
  </message>
  <message>
   <source>%1, %2 elsewhere</source>
   <translation>%1, %2 anderswo</translation>
  </message>
  <message>
   <source>Drop it in another stage to send it there</source>
   <translation>In einer anderen Stufe ablegen, um es dorthin zu geben</translation>
  </message>
  <message>
   <source>%1 to stage %2</source>
   <translation>%1 an Stufe %2</translation>
  </message>
  <message>
   <source>%1 would move</source>
   <translation>Verschoben: %1</translation>
  </message>
  <message>
   <source>, %1 of them must follow</source>
   <translation>, davon müssen %1 mitgehen</translation>
  </message>
  <message>
   <source>1 tensor</source>
   <translation>1 Tensor</translation>
  </message>
  <message>
   <source>%1 tensors</source>
   <translation>%1 Tensoren</translation>
  </message>
  <message>
   <source>%1 both ways</source>
   <translation>%1 hin und zurück</translation>
  </message>
  <message>
   <source>no tensor</source>
   <translation>kein Tensor</translation>
  </message>
  <message>
   <source>%1 others</source>
   <translation>%1 andere</translation>
  </message>
  <message>
   <source>Where the selection is</source>
   <translation>Wo die Auswahl ist</translation>
  </message>
  <message>
   <source>Go to this box</source>
   <translation>Zu diesem Kasten gehen</translation>
  </message>
  <message>
   <source>Selected: %1</source>
   <translation>Ausgewählt: %1</translation>
  </message>
  <message>
   <source>Nothing selected</source>
   <translation>Nichts ausgewählt</translation>
  </message>
  <message>
   <source>%1 ops selected</source>
   <translation>%1 Operationen ausgewählt</translation>
  </message>
  <message>
   <source>Overview of the model</source>
   <translation>Übersicht des Modells</translation>
  </message>
  <message>
   <source>The whole model in the order of running, how long its ops take, and what the graph shows</source>
   <translation>Das ganze Modell in der Reihenfolge der Ausführung, wie lange seine Operationen dauern, und was der Graph zeigt</translation>
  </message>
  <message>
   <source>The graph shows ops %1 to %2 of %3</source>
   <translation>Der Graph zeigt die Operationen %1 bis %2 von %3</translation>
  </message>
  <message>
   <source>Keep the graph where it is</source>
   <translation>Den Graphen lassen, wo er ist</translation>
  </message>
  <message>
   <source>The graph goes to what is selected elsewhere; pressed, it stays where it is</source>
   <translation>Der Graph geht zu dem, was anderswo ausgewählt wird; gedrückt bleibt er, wo er ist</translation>
  </message>
  <message>
   <source>weights %1</source>
   <translation>Gewichte %1</translation>
  </message>
  <message>
   <source>kept %1</source>
   <translation>behalten %1</translation>
  </message>
  <message>
   <source>holds %1</source>
   <translation>hält %1</translation>
  </message>
  <message>
   <source>… if nothing ran again</source>
   <translation>… wenn nichts noch einmal liefe</translation>
  </message>
  <message>
   <source>Run again in backward</source>
   <translation>Rückwärts noch einmal</translation>
  </message>
  <message>
   <source>Makes</source>
   <translation>Erzeugt</translation>
  </message>
  <message>
   <source>Op</source>
   <translation>Operation</translation>
  </message>
  <message>
   <source>an input of the model</source>
   <translation>eine Eingabe des Modells</translation>
  </message>
  <message>
   <source> and %1 more</source>
   <translation> und %1 weitere</translation>
  </message>
  <message>
   <source>Tensor</source>
   <translation>Tensor</translation>
  </message>
  <message>
   <source>From</source>
   <translation>Von</translation>
  </message>
  <message>
   <source>To</source>
   <translation>Nach</translation>
  </message>
  <message>
   <source>and %1 more values</source>
   <translation>und %1 weitere Werte</translation>
  </message>
  <message>
   <source>Edge: %1, %2, %3, from %4 to %5</source>
   <translation>Kante: %1, %2, %3, von %4 nach %5</translation>
  </message>
  <message>
   <source>Result</source>
   <translation>Ergebnis</translation>
  </message>
  <message>
   <source>Contents</source>
   <translation>Inhalt</translation>
  </message>
  <message>
   <source>Copies</source>
   <translation>Kopien</translation>
  </message>
  <message>
   <source>%1, equal inside</source>
   <translation>%1, innen gleich</translation>
  </message>
  <message>
   <source>Used by</source>
   <translation>Benutzt von</translation>
  </message>
  <message>
   <source>&lt;b&gt;Boundary between stage %1 and %2&lt;/b&gt;</source>
   <translation>&lt;b&gt;Grenze zwischen Stufe %1 und %2&lt;/b&gt;</translation>
  </message>
  <message>
   <source>Values, down</source>
   <translation>Werte, abwärts</translation>
  </message>
  <message>
   <source>Gradients, up</source>
   <translation>Gradienten, aufwärts</translation>
  </message>
  <message>
   <source>Both ways</source>
   <translation>Beide Richtungen</translation>
  </message>
  <message>
   <source>Link time</source>
   <translation>Zeit der Verbindung</translation>
  </message>
  <message>
   <source>and</source>
   <translation>und</translation>
  </message>
  <message>
   <source>Laying out the graph ...</source>
   <translation>Der Graph wird angeordnet ...</translation>
  </message>
  <message>
   <source> · %1 of the model, %2</source>
   <translation> · %1 des Modells, %2</translation>
  </message>
  <message>
   <source>Total</source>
   <translation>Gesamt</translation>
  </message>
  <message>
   <source>Forward</source>
   <translation>Vorwärts</translation>
  </message>
  <message>
   <source>Backward</source>
   <translation>Rückwärts</translation>
  </message>
  <message>
   <source>Of it run again</source>
   <translation>Davon noch einmal</translation>
  </message>
  <message>
   <source>Work</source>
   <translation>Rechenarbeit</translation>
  </message>
  <message>
   <source>Traffic</source>
   <translation>Datenverkehr</translation>
  </message>
  <message>
   <source>While it runs</source>
   <translation>Während sie läuft</translation>
  </message>
  <message>
   <source>Buffers</source>
   <translation>Puffer</translation>
  </message>
  <message>
   <source>Parts</source>
   <translation>Teile</translation>
  </message>
  <message>
   <source> (bias)</source>
   <translation> (Bias)</translation>
  </message>
  <message>
   <source>In a real step</source>
   <translation>In einem echten Schritt</translation>
  </message>
  <message>
   <source>The first NaN or infinity is made here: all it reads is finite.</source>
   <translation>Das erste NaN oder Unendlich entsteht hier: alles Gelesene ist endlich.</translation>
  </message>
  <message>
   <source>The first NaN or infinity of the backward pass is made here.</source>
   <translation>Das erste NaN oder Unendlich rückwärts entsteht hier.</translation>
  </message>
  <message>
   <source>Reads</source>
   <translation>Liest</translation>
  </message>
  <message>
   <source>Gives %1</source>
   <translation>Ergibt %1</translation>
  </message>
  <message>
   <source>Strides</source>
   <translation>Schrittweiten</translation>
  </message>
  <message>
   <source>Read by</source>
   <translation>Gelesen von</translation>
  </message>
  <message>
   <source>Returned</source>
   <translation>Zurückgegeben</translation>
  </message>
  <message>
   <source>by the model</source>
   <translation>vom Modell</translation>
  </message>
  <message>
   <source>Source</source>
   <translation>Quelle</translation>
  </message>
  <message>
   <source>selected</source>
   <translation>ausgewählt</translation>
  </message>
  <message>
   <source>and %1 more kinds</source>
   <translation>und %1 weitere Arten</translation>
  </message>
  <message>
   <source>What is known of the selected operators</source>
   <translation>Was von den gewählten Operationen bekannt ist</translation>
  </message>
  <message>
   <source>Details of the selection</source>
   <translation>Einzelheiten der Auswahl</translation>
  </message>
  <message>
   <source>Select an operator or a module to see what it costs, reads and gives.</source>
   <translation>Wählen Sie eine Operation oder ein Modul, um zu sehen, was es kostet, liest und gibt.</translation>
  </message>
  <message>
   <source>Copied: %1</source>
   <translation>Kopiert: %1</translation>
  </message>
  <message>
   <source>found</source>
   <translation>gefunden</translation>
  </message>
  <message>
   <source>
Forward %1, backward %2: %3 of the model</source>
   <translation>
Vorwärts %1, rückwärts %2: %3 des Modells</translation>
  </message>
  <message>
   <source>
Keeps %1 for backward, has %2 of parameters</source>
   <translation>
Behält %1 für rückwärts, hat %2 an Parametern</translation>
  </message>
  <message>
   <source>As one, alone: forward %1, backward %2</source>
   <translation>Als Ganzes für sich: vorwärts %1, rückwärts %2</translation>
  </message>
  <message>
   <source>Reads %1, gives %2; takes up to %3 forward, %4 backward</source>
   <translation>Liest %1, gibt %2; belegt bis zu %3 vorwärts, %4 rückwärts</translation>
  </message>
  <message>
   <source>
In B: forward %1, backward %2, keeps %3</source>
   <translation>
In B: vorwärts %1, rückwärts %2, behält %3</translation>
  </message>
  <message>
   <source>Bytes that are kept from forward for backward</source>
   <translation>Bytes, die von vorwärts für rückwärts behalten werden</translation>
  </message>
  <message>
   <source>Ops</source>
   <translation>Ops</translation>
  </message>
  <message>
   <source>Open a model to see its modules.</source>
   <translation>Öffnen Sie ein Modell, um seine Module zu sehen.</translation>
  </message>
  <message>
   <source>Modules and operators; sends them to other stages with the keyboard</source>
   <translation>Module und Operationen; gibt sie mit der Tastatur an andere Stufen</translation>
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
   <source>Clear the filter</source>
   <translation>Den Filter leeren</translation>
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
   <source>Its name in the model</source>
   <translation>Ihr Name im Modell</translation>
  </message>
  <message>
   <source>What it computes</source>
   <translation>Was sie berechnet</translation>
  </message>
  <message>
   <source>The module that it comes from</source>
   <translation>Das Modul, aus dem sie stammt</translation>
  </message>
  <message>
   <source>The stage that it is in</source>
   <translation>Die Stufe, in der sie ist</translation>
  </message>
  <message>
   <source>Forward and backward</source>
   <translation>Vorwärts und rückwärts</translation>
  </message>
  <message>
   <source>Time of the forward pass</source>
   <translation>Zeit vorwärts</translation>
  </message>
  <message>
   <source>Time of the backward pass</source>
   <translation>Zeit rückwärts</translation>
  </message>
  <message>
   <source>Made</source>
   <translation>Ausgabe</translation>
  </message>
  <message>
   <source>Bytes of its results</source>
   <translation>Bytes ihrer Ergebnisse</translation>
  </message>
  <message>
   <source>Bytes of the parameters that it is the first to read</source>
   <translation>Bytes der Parameter, die sie als erste liest</translation>
  </message>
  <message>
   <source>Floating-point operations, forward and backward</source>
   <translation>Gleitkommaoperationen, vorwärts und rückwärts</translation>
  </message>
  <message>
   <source>Type and sizes of its first result</source>
   <translation>Typ und Größen ihres ersten Ergebnisses</translation>
  </message>
  <message>
   <source>No.</source>
   <translation>Nr.</translation>
  </message>
  <message>
   <source>In the order in which ops run</source>
   <translation>In der Reihenfolge, in der Operationen laufen</translation>
  </message>
  <message>
   <source>Open a model to see its operators.</source>
   <translation>Öffnen Sie ein Modell, um seine Operationen zu sehen.</translation>
  </message>
  <message>
   <source>Operators listed</source>
   <translation>Aufgelistete Operationen</translation>
  </message>
  <message>
   <source>Sums of what is selected</source>
   <translation>Summen der Auswahl</translation>
  </message>
  <message>
   <source>All operators with what they cost, or those that are looked for</source>
   <translation>Alle Operationen mit ihren Kosten, oder die gesuchten</translation>
  </message>
  <message>
   <source>%1 of %2 are what you look for</source>
   <translation>%1 von %2 sind, was Sie suchen</translation>
  </message>
  <message>
   <source>%1; what is typed into Find is listed here alone</source>
   <translation>%1; was im Suchfeld steht, wird hier allein aufgelistet</translation>
  </message>
  <message>
   <source>%1, of %2: a figure of your own</source>
   <translation>%1, von %2: eine eigene Größe</translation>
  </message>
  <message>
   <source>Commands</source>
   <translation>Befehle</translation>
  </message>
  <message>
   <source>Type a command, a module, a stage, a setting</source>
   <translation>Befehl, Modul, Stufe oder Einstellung eingeben</translation>
  </message>
  <message>
   <source>Command</source>
   <translation>Befehl</translation>
  </message>
  <message>
   <source>Up and Down choose, Enter does it</source>
   <translation>Auf und Ab wählen, Eingabe führt aus</translation>
  </message>
  <message>
   <source>Commands that match</source>
   <translation>Passende Befehle</translation>
  </message>
  <message>
   <source>Duplicate</source>
   <translation>Duplizieren</translation>
  </message>
  <message>
   <source>Import…</source>
   <translation>Importieren…</translation>
  </message>
  <message>
   <source>Delete…</source>
   <translation>Löschen…</translation>
  </message>
  <message>
   <source>Use for the plan</source>
   <translation>Für den Plan nehmen</translation>
  </message>
  <message>
   <source>Devices</source>
   <translation>Geräte</translation>
  </message>
  <message>
   <source>A device of your own with these figures, to be changed</source>
   <translation>Ein eigenes Gerät mit diesen Werten, das sich ändern lässt</translation>
  </message>
  <message>
   <source>A device file, such as “stagecraft-cli calibrate” writes</source>
   <translation>Eine Gerätedatei, wie „stagecraft-cli calibrate“ sie schreibt</translation>
  </message>
  <message>
   <source>What is wrong with the device</source>
   <translation>Was mit dem Gerät nicht stimmt</translation>
  </message>
  <message>
   <source>%1 (own)</source>
   <translation>%1 (eigenes)</translation>
  </message>
  <message>
   <source>It comes with Stagecraft: duplicate it to change figures.</source>
   <translation>Es gehört zu Stagecraft: zum Ändern duplizieren.</translation>
  </message>
  <message>
   <source>Save the changes, or close to drop them.</source>
   <translation>Änderungen speichern, oder schließen, um sie zu verwerfen.</translation>
  </message>
  <message>
   <source>Import a device</source>
   <translation>Ein Gerät importieren</translation>
  </message>
  <message>
   <source>Device files (*.json);;All files (*)</source>
   <translation>Gerätedateien (*.json);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Delete %1 for good?</source>
   <translation>%1 endgültig löschen?</translation>
  </message>
  <message>
   <source>Drop the changes of the device?</source>
   <translation>Die Änderungen am Gerät verwerfen?</translation>
  </message>
  <message>
   <source>Output</source>
   <translation>Ausgabe</translation>
  </message>
  <message>
   <source>Input gradient</source>
   <translation>Gradient der Eingabe</translation>
  </message>
  <message>
   <source>Buffer</source>
   <translation>Puffer</translation>
  </message>
  <message>
   <source>Weight</source>
   <translation>Gewicht</translation>
  </message>
  <message>
   <source>File</source>
   <translation>Datei</translation>
  </message>
  <message>
   <source>%1 of %2 tensors differ from the whole model's</source>
   <translation>%1 von %2 Tensoren weichen vom ganzen Modell ab</translation>
  </message>
  <message>
   <source>The stages compute what the whole model computes; largest difference %1, relative %2</source>
   <translation>Die Stufen berechnen, was das ganze Modell berechnet; größter Unterschied %1, relativ %2</translation>
  </message>
  <message>
   <source>Python code and safetensors</source>
   <translation>Python-Code und safetensors</translation>
  </message>
  <message>
   <source>.pt2 of each stage</source>
   <translation>.pt2 jeder Stufe</translation>
  </message>
  <message>
   <source>TorchScript of each stage</source>
   <translation>TorchScript jeder Stufe</translation>
  </message>
  <message>
   <source>Verify afterwards</source>
   <translation>Danach prüfen</translation>
  </message>
  <message>
   <source>Replace the export that is in this folder</source>
   <translation>Den Export in diesem Ordner ersetzen</translation>
  </message>
  <message>
   <source>Files that will be written</source>
   <translation>Dateien, die geschrieben werden</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>Art</translation>
  </message>
  <message>
   <source>Difference</source>
   <translation>Unterschied</translation>
  </message>
  <message>
   <source>Relative</source>
   <translation>Relativ</translation>
  </message>
  <message>
   <source>Comparison with the whole model</source>
   <translation>Vergleich mit dem ganzen Modell</translation>
  </message>
  <message>
   <source>Export</source>
   <translation>Exportieren</translation>
  </message>
  <message>
   <source>Verify</source>
   <translation>Prüfen</translation>
  </message>
  <message>
   <source>Open folder</source>
   <translation>Ordner öffnen</translation>
  </message>
  <message>
   <source>Export stages</source>
   <translation>Stufen exportieren</translation>
  </message>
  <message>
   <source>Folder</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>Folder to write into; made if it is not there</source>
   <translation>Ordner, in den geschrieben wird; er wird bei Bedarf angelegt</translation>
  </message>
  <message>
   <source>For torch.jit.load(), in C++ too</source>
   <translation>Für torch.jit.load(), auch in C++</translation>
  </message>
  <message>
   <source> GB</source>
   <translation> GB</translation>
  </message>
  <message>
   <source>Weights in one file</source>
   <translation>Gewichte in einer Datei</translation>
  </message>
  <message>
   <source>How much of a stage's weights one .safetensors file has at most; over it there are several, with an index</source>
   <translation>Wie viel von den Gewichten einer Stufe eine .safetensors-Datei höchstens hat; darüber sind es mehrere, mit einem Index</translation>
  </message>
  <message>
   <source>Runs the stages one after another and compares outputs and gradients with the whole model's: the .pt2 files where there are some, else the code, in Python. TorchScript is not run</source>
   <translation>Führt die Stufen nacheinander aus und vergleicht Ausgaben und Gradienten mit denen des ganzen Modells: die .pt2-Dateien, wo es welche gibt, sonst den Code, in Python. TorchScript wird nicht ausgeführt</translation>
  </message>
  <message>
   <source>The output that pipeline.py goes back from in a training step</source>
   <translation>Die Ausgabe, von der pipeline.py in einem Trainingsschritt zurückgeht</translation>
  </message>
  <message>
   <source>As the model returns it</source>
   <translation>Wie das Modell sie gibt</translation>
  </message>
  <message>
   <source>%1 of it and a target</source>
   <translation>%1 daraus und einem Ziel</translation>
  </message>
  <message>
   <source>Function of the loss</source>
   <translation>Funktion des Loss</translation>
  </message>
  <message>
   <source>A function of torch.nn.functional that the output and the target of each step are fed to</source>
   <translation>Eine Funktion aus torch.nn.functional, in die die Ausgabe und das Ziel jedes Schritts gehen</translation>
  </message>
  <message>
   <source>What is exported otherwise than asked</source>
   <translation>Was anders exportiert wird als verlangt</translation>
  </message>
  <message>
   <source>Choose the folder</source>
   <translation>Den Ordner wählen</translation>
  </message>
  <message>
   <source>of weights in one file at most</source>
   <translation>an Gewichten höchstens in einer Datei</translation>
  </message>
  <message>
   <source>Write</source>
   <translation>Schreiben</translation>
  </message>
  <message>
   <source>Export %1 in %2</source>
   <translation>%1 in %2 exportieren</translation>
  </message>
  <message>
   <source>%1 files, %2</source>
   <translation>%1 Dateien, %2</translation>
  </message>
  <message>
   <source>Written to %1</source>
   <translation>Nach %1 geschrieben</translation>
  </message>
  <message>
   <source>differs</source>
   <translation>weicht ab</translation>
  </message>
  <message>
   <source>within tolerance</source>
   <translation>innerhalb der Toleranz</translation>
  </message>
  <message>
   <source>equal</source>
   <translation>gleich</translation>
  </message>
  <message>
   <source>%1 tensors compared</source>
   <translation>%1 Tensoren verglichen</translation>
  </message>
  <message>
   <source>Gradients were not compared: %1</source>
   <translation>Gradienten wurden nicht verglichen: %1</translation>
  </message>
  <message>
   <source>Gradients of inputs were not compared: %1</source>
   <translation>Gradienten von Eingaben wurden nicht verglichen: %1</translation>
  </message>
  <message>
   <source>Folder for the stages</source>
   <translation>Ordner für die Stufen</translation>
  </message>
  <message>
   <source>The order of the stages' work: a file for _load_csv() of a schedule of torch.distributed.pipelining</source>
   <translation>Die Reihenfolge der Arbeit der Stufen: eine Datei für _load_csv() eines Ablaufs von torch.distributed.pipelining</translation>
  </message>
  <message>
   <source>Lines of the configuration of a training job (*.toml)</source>
   <translation>Zeilen der Konfiguration eines Trainings (*.toml)</translation>
  </message>
  <message>
   <source>Lines of the configuration of a training job (*.toml) with graph_pp</source>
   <translation>Zeilen der Konfiguration eines Trainings (*.toml) mit graph_pp</translation>
  </message>
  <message>
   <source>Arguments of the training script</source>
   <translation>Argumente des Trainingsskripts</translation>
  </message>
  <message>
   <source>The layers of a PipelineModule in their order, and where each part begins</source>
   <translation>Die Schichten eines PipelineModule in ihrer Reihenfolge, und wo jeder Teil beginnt</translation>
  </message>
  <message>
   <source>A list of lists: the names of the modules that each stage runs</source>
   <translation>Eine Liste von Listen: die Namen der Module, die jede Stufe ausführt</translation>
  </message>
  <message>
   <source>Use that plan</source>
   <translation>Diesen Plan nehmen</translation>
  </message>
  <message>
   <source>Copy</source>
   <translation>Kopieren</translation>
  </message>
  <message>
   <source>Save…</source>
   <translation>Speichern…</translation>
  </message>
  <message>
   <source>The plan for other frameworks</source>
   <translation>Der Plan für andere Frameworks</translation>
  </message>
  <message>
   <source>Framework</source>
   <translation>Framework</translation>
  </message>
  <message>
   <source>What is in the way</source>
   <translation>Was im Weg steht</translation>
  </message>
  <message>
   <source>The plan as it is read there</source>
   <translation>Der Plan, wie er dort gelesen wird</translation>
  </message>
  <message>
   <source>The plan of the window becomes this one; Undo brings the other back</source>
   <translation>Der Plan des Fensters wird zu diesem; Rückgängig bringt den anderen zurück</translation>
  </message>
  <message>
   <source>For</source>
   <translation>Für</translation>
  </message>
  <message>
   <source>The plan of %1 for other frameworks</source>
   <translation>Der Plan von %1 für andere Frameworks</translation>
  </message>
  <message>
   <source>Looking for the nearest plan that can be said there</source>
   <translation>Der nächste dort ausdrückbare Plan wird gesucht</translation>
  </message>
  <message>
   <source>The plan that is open</source>
   <translation>Der offene Plan</translation>
  </message>
  <message>
   <source>The nearest plan, not the one that is open</source>
   <translation>Der nächste Plan, nicht der offene</translation>
  </message>
  <message>
   <source>Copied</source>
   <translation>Kopiert</translation>
  </message>
  <message>
   <source>My own code</source>
   <translation>Eigener Code</translation>
  </message>
  <message>
   <source>FILE.py:FUNCTION or MODULE:FUNCTION. The function returns the module, or (module, inputs). This runs your code, in your Python.</source>
   <translation>DATEI.py:FUNKTION oder MODUL:FUNKTION. Die Funktion gibt das Modul zurück, oder (Modul, Eingaben). Das führt Ihren Code in Ihrem Python aus.</translation>
  </message>
  <message>
   <source>A model type (gpt2, llama), a class (BertForSequenceClassification), a folder with config.json, or OWNER/NAME of the Hub. No weights are fetched.</source>
   <translation>Ein Modelltyp (gpt2, llama), eine Klasse (BertForSequenceClassification), ein Ordner mit config.json oder BESITZER/NAME des Hubs. Gewichte werden nicht geladen.</translation>
  </message>
  <message>
   <source>A name of timm.list_models(). No weights are fetched.</source>
   <translation>Ein Name aus timm.list_models(). Gewichte werden nicht geladen.</translation>
  </message>
  <message>
   <source>A name of torchvision.models.list_models(). No weights are fetched.</source>
   <translation>Ein Name aus torchvision.models.list_models(). Gewichte werden nicht geladen.</translation>
  </message>
  <message>
   <source>What Python wrote</source>
   <translation>Was Python geschrieben hat</translation>
  </message>
  <message>
   <source>Import</source>
   <translation>Importieren</translation>
  </message>
  <message>
   <source>Import a model from Python</source>
   <translation>Ein Modell aus Python importieren</translation>
  </message>
  <message>
   <source>Where the model comes from</source>
   <translation>Woher das Modell kommt</translation>
  </message>
  <message>
   <source>Name of the model</source>
   <translation>Name des Modells</translation>
  </message>
  <message>
   <source>Python</source>
   <translation>Python</translation>
  </message>
  <message>
   <source>Write to</source>
   <translation>Schreiben nach</translation>
  </message>
  <message>
   <source>Members of the configuration, or arguments of the function</source>
   <translation>Einträge der Konfiguration oder Argumente der Funktion</translation>
  </message>
  <message>
   <source>Sizes that stay open: batch is the first of each input; others are named in the input, as in i64[batch=2,length=128]</source>
   <translation>Größen, die offen bleiben: batch ist die erste jeder Eingabe; andere haben in der Eingabe einen Namen, wie in i64[batch=2,length=128]</translation>
  </message>
  <message>
   <source>Training, evaluation where it cannot be traced</source>
   <translation>Training; Auswertung, wo es sich nicht aufzeichnen lässt</translation>
  </message>
  <message>
   <source>Evaluation</source>
   <translation>Auswertung</translation>
  </message>
  <message>
   <source>As usual: none of a library's, its own of my code</source>
   <translation>Wie üblich: keine bei Bibliotheken, die eigenen bei eigenem Code</translation>
  </message>
  <message>
   <source>None, the structure alone</source>
   <translation>Keine, nur die Struktur</translation>
  </message>
  <message>
   <source>As the code makes them, however large</source>
   <translation>Wie der Code sie erzeugt, auch wenn sie groß sind</translation>
  </message>
  <message>
   <source>Name</source>
   <translation>Name</translation>
  </message>
  <message>
   <source>Choose a file</source>
   <translation>Eine Datei wählen</translation>
  </message>
  <message>
   <source>Open sizes</source>
   <translation>Offene Größen</translation>
  </message>
  <message>
   <source>Settings</source>
   <translation>Einstellungen</translation>
  </message>
  <message>
   <source>Weights</source>
   <translation>Gewichte</translation>
  </message>
  <message>
   <source>Choose a Python</source>
   <translation>Ein Python wählen</translation>
  </message>
  <message>
   <source>Choose the file to write</source>
   <translation>Die zu schreibende Datei wählen</translation>
  </message>
  <message>
   <source>What became of it</source>
   <translation>Was daraus wurde</translation>
  </message>
  <message>
   <source>Asking which it is…</source>
   <translation>Wird gefragt, welches es ist…</translation>
  </message>
  <message>
   <source>Python %1 with PyTorch %2: %3</source>
   <translation>Python %1 mit PyTorch %2: %3</translation>
  </message>
  <message>
   <source>The file with the model</source>
   <translation>Die Datei mit dem Modell</translation>
  </message>
  <message>
   <source>Python (*.py);;All files (*)</source>
   <translation>Python (*.py);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>The Python that has PyTorch</source>
   <translation>Das Python mit PyTorch</translation>
  </message>
  <message>
   <source>The file to write</source>
   <translation>Die zu schreibende Datei</translation>
  </message>
  <message>
   <source>Models (*.pt2)</source>
   <translation>Modelle (*.pt2)</translation>
  </message>
  <message>
   <source>The file that is there will be replaced.</source>
   <translation>Die vorhandene Datei wird ersetzt.</translation>
  </message>
  <message>
   <source>Input</source>
   <translation>Eingabe</translation>
  </message>
  <message>
   <source>What the model is called with, in order or by name: f32[8,3,224,224], i64[batch=2,128], (f32[2], f32[2]), none, true, 0.5. Leave it empty where the model's library knows.</source>
   <translation>Womit das Modell aufgerufen wird, der Reihe nach oder mit Namen: f32[8,3,224,224], i64[batch=2,128], (f32[2], f32[2]), none, true, 0.5. Leer lassen, wo die Bibliothek des Modells es weiß.</translation>
  </message>
  <message>
   <source>New model</source>
   <translation>Neues Modell</translation>
  </message>
  <message>
   <source>A model by its sizes, without weights: profiled, planned and exported as one from a file.</source>
   <translation>Ein Modell nach seinen Größen, ohne Gewichte: ermittelt, geplant und exportiert wie eines aus einer Datei.</translation>
  </message>
  <message>
   <source>Make it</source>
   <translation>Erzeugen</translation>
  </message>
  <message>
   <source>Run it</source>
   <translation>Ausführen</translation>
  </message>
  <message>
   <source>Read how</source>
   <translation>Anleitung lesen</translation>
  </message>
  <message>
   <source>Command for a terminal</source>
   <translation>Befehl für ein Terminal</translation>
  </message>
  <message>
   <source>Copy the command</source>
   <translation>Den Befehl kopieren</translation>
  </message>
  <message>
   <source>Copy the command, to be pasted into a terminal</source>
   <translation>Den Befehl kopieren, um ihn in ein Terminal einzufügen</translation>
  </message>
  <message>
   <source>Open the README.md of the export: training, checkpoints, several machines</source>
   <translation>Die README.md des Exports öffnen: Training, Checkpoints, mehrere Rechner</translation>
  </message>
  <message>
   <source>Go on with what was worked on last</source>
   <translation>Mit dem weitermachen, woran zuletzt gearbeitet wurde</translation>
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
   <source>Text size</source>
   <translation>Schriftgröße</translation>
  </message>
  <message>
   <source>Memory in GiB (2^30 bytes); speeds, and files that weights are split into, in GB (10^9 bytes), as data sheets and the Hub have them</source>
   <translation>Speicher in GiB (2^30 Byte); Geschwindigkeiten und Dateien, auf die Gewichte verteilt werden, in GB (10^9 Byte), wie Datenblätter und der Hub sie angeben</translation>
  </message>
  <message>
   <source>Units</source>
   <translation>Einheiten</translation>
  </message>
  <message>
   <source>How long a search for a plan may compute, which takes up to four times as long on a busy machine; it ends sooner where it has proven that there is no better plan</source>
   <translation>Wie lange eine Suche nach einem Plan rechnen darf, was auf einer ausgelasteten Maschine bis zu viermal so lange dauert; sie endet früher, wenn bewiesen ist, dass es keinen besseren gibt</translation>
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
   <source>Search for at most</source>
   <translation>Höchstens suchen</translation>
  </message>
  <message>
   <source>that of the environment</source>
   <translation>das der Umgebung</translation>
  </message>
  <message>
   <source>Imports models and runs the stages that are verified; it has PyTorch</source>
   <translation>Importiert Modelle und führt die Stufen aus, die geprüft werden; es hat PyTorch</translation>
  </message>
  <message>
   <source>At a start</source>
   <translation>Beim Start</translation>
  </message>
  <message>
   <source>Find a published model</source>
   <translation>Veröffentlichtes Modell suchen</translation>
  </message>
  <message>
   <source>Program of the file</source>
   <translation>Programm der Datei</translation>
  </message>
  <message>
   <source>Programs</source>
   <translation>Programme</translation>
  </message>
  <message>
   <source>Open</source>
   <translation>Öffnen</translation>
  </message>
  <message>
   <source>%1 holds several programs. Which is to be opened? This is kept for the next time.</source>
   <translation>%1 enthält mehrere Programme. Welches soll geöffnet werden? Das wird für das nächste Mal gemerkt.</translation>
  </message>
  <message>
   <source>%1, may be left out</source>
   <translation>%1, darf fehlen</translation>
  </message>
  <message>
   <source>Inputs of the script</source>
   <translation>Eingaben des Skripts</translation>
  </message>
  <message>
   <source>f32[8,3,224,224], i64[2,128], true, 0.5, "text", none, lists [...], tuples (...), dicts {"key": ...}</source>
   <translation>f32[8,3,224,224], i64[2,128], true, 0.5, "text", none, Listen [...], Tupel (...), Dicts {"key": ...}</translation>
  </message>
  <message>
   <source>%1 keeps the inputs that it was traced with. Leave all fields empty to take these, or give others.</source>
   <translation>%1 enthält die Eingaben, mit denen es aufgezeichnet wurde. Alle Felder leer lassen, um diese zu nehmen, oder andere angeben.</translation>
  </message>
  <message>
   <source>%1 is TorchScript and does not say the sizes of its inputs. Say what forward() is called with; this is kept for the next time.</source>
   <translation>%1 ist TorchScript und sagt nicht, wie groß seine Eingaben sind. Bitte angeben, womit forward() aufgerufen wird; das wird für das nächste Mal gemerkt.</translation>
  </message>
  <message>
   <source>Random</source>
   <translation>Zufällig</translation>
  </message>
  <message>
   <source>Those that the model was exported with</source>
   <translation>Die, mit denen das Modell exportiert wurde</translation>
  </message>
  <message>
   <source>From a file (.safetensors), by the names of the inputs</source>
   <translation>Aus einer Datei (.safetensors), nach den Namen der Eingaben</translation>
  </message>
  <message>
   <source>Choose…</source>
   <translation>Wählen…</translation>
  </message>
  <message>
   <source>Statistics of a real step</source>
   <translation>Statistik eines echten Schritts</translation>
  </message>
  <message>
   <source>Runs a forward and a backward pass of the whole model on this machine. The spread, mean, largest value, zeros and NaN of every tensor and gradient then stand beside the lines of the code.</source>
   <translation>Führt das ganze Modell auf diesem Rechner einmal vorwärts und rückwärts aus. Streuung, Mittel, größter Wert, Nullen und NaN jedes Tensors und Gradienten stehen dann neben den Zeilen des Codes.</translation>
  </message>
  <message>
   <source>File of inputs</source>
   <translation>Datei der Eingaben</translation>
  </message>
  <message>
   <source>Run</source>
   <translation>Ausführen</translation>
  </message>
  <message>
   <source>Of all that is random: inputs, dropout, weights that the file does not have</source>
   <translation>Von allem Zufälligen: Eingaben, Dropout, Gewichten, die die Datei nicht hat</translation>
  </message>
  <message>
   <source>The model's file does not have them</source>
   <translation>Die Datei des Modells hat sie nicht</translation>
  </message>
  <message>
   <source>Inputs of the model</source>
   <translation>Eingaben des Modells</translation>
  </message>
  <message>
   <source>Tensors (*.safetensors);;All files (*)</source>
   <translation>Tensoren (*.safetensors);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>Its bytes alone</source>
   <translation>Nur seine Bytes</translation>
  </message>
  <message>
   <source>An operation for each element</source>
   <translation>Eine Operation je Element</translation>
  </message>
  <message>
   <source>A matrix product</source>
   <translation>Ein Matrixprodukt</translation>
  </message>
  <message>
   <source>Attention</source>
   <translation>Attention</translation>
  </message>
  <message>
   <source>Formulas of your own</source>
   <translation>Eigene Formeln</translation>
  </message>
  <message>
   <source>Costs of a file, as --substitutes of the command line takes it</source>
   <translation>Kosten aus einer Datei, wie sie --substitutes der Befehlszeile nimmt</translation>
  </message>
  <message>
   <source>Save as…</source>
   <translation>Speichern unter…</translation>
  </message>
  <message>
   <source>These costs as a file for --substitutes</source>
   <translation>Diese Kosten als Datei für --substitutes</translation>
  </message>
  <message>
   <source>Load library…</source>
   <translation>Bibliothek laden…</translation>
  </message>
  <message>
   <source>A library that defines the operators for PyTorch's C++: its code runs</source>
   <translation>Eine Bibliothek, die die Operatoren für PyTorchs C++ definiert: ihr Code läuft</translation>
  </message>
  <message>
   <source>Operators that are not known here count by the bytes that they read and write. Say what they compute, and time and plan follow; every figure says that it is yours.</source>
   <translation>Operatoren, die hier nicht bekannt sind, zählen nach den Bytes, die sie lesen und schreiben. Sagen Sie, was sie rechnen, und Zeit und Plan folgen; jede Zahl sagt, dass sie von Ihnen ist.</translation>
  </message>
  <message>
   <source>Names for formulas, of the first of these operators</source>
   <translation>Namen für Formeln, vom ersten dieser Operatoren</translation>
  </message>
  <message>
   <source>Costs</source>
   <translation>Kosten</translation>
  </message>
  <message>
   <source>Backward to inputs</source>
   <translation>Rückwärts zu Eingaben</translation>
  </message>
  <message>
   <source>Backward to weights</source>
   <translation>Rückwärts zu Gewichten</translation>
  </message>
  <message>
   <source>FLOPs</source>
   <translation>FLOPs</translation>
  </message>
  <message>
   <source>Seconds</source>
   <translation>Sekunden</translation>
  </message>
  <message>
   <source>counted</source>
   <translation>gezählt</translation>
  </message>
  <message>
   <source>numel(x), size(x, -1), dim(x), bytes(x), itemsize(x); + - * / // % **; min, max, ceil, floor, sqrt, log2</source>
   <translation>numel(x), size(x, -1), dim(x), bytes(x), itemsize(x); + - * / // % **; min, max, ceil, floor, sqrt, log2</translation>
  </message>
  <message>
   <source>Costs of operators (*.json);;All files (*)</source>
   <translation>Kosten von Operatoren (*.json);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>A library of operators, whose code runs</source>
   <translation>Eine Bibliothek von Operatoren, deren Code läuft</translation>
  </message>
  <message>
   <source>Libraries (*.so);;All files (*)</source>
   <translation>Bibliotheken (*.so);;Alle Dateien (*)</translation>
  </message>
  <message>
   <source>All operators of this model are known.</source>
   <translation>Alle Operatoren dieses Modells sind bekannt.</translation>
  </message>
  <message>
   <source>One of them: forward %1; backward %2</source>
   <translation>Einer davon: vorwärts %1; rückwärts %2</translation>
  </message>
  <message>
   <source>its bytes</source>
   <translation>seine Bytes</translation>
  </message>
  <message>
   <source>Measure each op and each stage on the machine that the model will run on: its PyTorch runs the model and writes times.json.</source>
   <translation>Messen Sie jede Operation und jede Stufe auf dem Rechner, auf dem das Modell laufen soll: Sein PyTorch führt das Modell aus und schreibt times.json.</translation>
  </message>
  <message>
   <source>On another machine, take along measure_model.py, the model and the plan.</source>
   <translation>Auf einen anderen Rechner nehmen Sie measure_model.py, das Modell und den Plan mit.</translation>
  </message>
  <message>
   <source>Then read that file, or another: a CSV or JSON with a time for each op, or a trace of torch.profiler.</source>
   <translation>Lesen Sie dann diese Datei oder eine andere: eine CSV- oder JSON-Datei mit einer Zeit je Operation oder eine Aufzeichnung von torch.profiler.</translation>
  </message>
  <message>
   <source>Choose File…</source>
   <translation>Datei wählen …</translation>
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
   <translation>Weitermachen, wo Sie aufgehört haben</translation>
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
   <translation>Sehen, wohin Speicher und Zeit gehen, die Grenzen der Pipeline-Stufen ziehen, lauffähige Stufen exportieren.</translation>
  </message>
  <message>
   <source>Open a model</source>
   <translation>Modell öffnen</translation>
  </message>
  <message>
   <source>A .pt2 of torch.export, a scripted or traced .pt, or a plan</source>
   <translation>Eine .pt2 von torch.export, eine .pt von TorchScript oder ein Plan</translation>
  </message>
  <message>
   <source>New model…</source>
   <translation>Neues Modell…</translation>
  </message>
  <message>
   <source>A model by its sizes: Llama, GPT, and others</source>
   <translation>Ein Modell nach seinen Größen: Llama, GPT und andere</translation>
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
   <translation>Python-Code, der ein Modell exportiert</translation>
  </message>
  <message>
   <source>Export your own model</source>
   <translation>Das eigene Modell exportieren</translation>
  </message>
  <message>
   <source>Open %1</source>
   <translation>%1 öffnen</translation>
  </message>
  <message>
   <source>%1 is not there any more</source>
   <translation>%1 ist nicht mehr da</translation>
  </message>
  <message>
   <source>Go on with %1</source>
   <translation>Weiter mit %1</translation>
  </message>
  <message>
   <source>Open the example %1</source>
   <translation>Das Beispiel %1 öffnen</translation>
  </message>
  <message>
   <source>Advice</source>
   <translation>Rat</translation>
  </message>
  <message>
   <source>Why the slowest stage is slow, and the changes that would help</source>
   <translation>Warum die langsamste Stufe langsam ist, und welche Änderungen helfen würden</translation>
  </message>
  <message>
   <source>What would help</source>
   <translation>Was helfen würde</translation>
  </message>
  <message>
   <source>Nothing tried would help.</source>
   <translation>Nichts Versuchtes würde helfen.</translation>
  </message>
  <message>
   <source>Looking for reasons and remedies</source>
   <translation>Gründe und Abhilfen werden gesucht</translation>
  </message>
  <message>
   <source>show %1</source>
   <translation>%1 zeigen</translation>
  </message>
  <message>
   <source>Apply</source>
   <translation>Anwenden</translation>
  </message>
  <message>
   <source>Apply: %1</source>
   <translation>Anwenden: %1</translation>
  </message>
  <message>
   <source>Change the plan so; it can be undone</source>
   <translation>Den Plan so ändern; es lässt sich rückgängig machen</translation>
  </message>
  <message>
   <source>As chosen by hand</source>
   <translation>Wie von Hand gewählt</translation>
  </message>
  <message>
   <source>%1 instead of %2</source>
   <translation>%1 statt %2</translation>
  </message>
  <message>
   <source>the same cuts</source>
   <translation>dieselben Schnitte</translation>
  </message>
  <message>
   <source>%1 in other stages</source>
   <translation>%1 in anderen Stufen</translation>
  </message>
  <message>
   <source>Comparison</source>
   <translation>Vergleich</translation>
  </message>
  <message>
   <source>The plan that is kept as B</source>
   <translation>Der Plan, der als B behalten wird</translation>
  </message>
  <message>
   <source>A against B</source>
   <translation>A gegen B</translation>
  </message>
  <message>
   <source>Swap</source>
   <translation>Tauschen</translation>
  </message>
  <message>
   <source>Swap A and B: what is kept becomes the plan, and the plan is kept</source>
   <translation>A und B tauschen: das Behaltene wird der Plan, und der Plan wird behalten</translation>
  </message>
  <message>
   <source>Drop B: compare no longer</source>
   <translation>B fallen lassen: nicht mehr vergleichen</translation>
  </message>
  <message>
   <source>A has no figures yet.</source>
   <translation>A hat noch keine Zahlen.</translation>
  </message>
  <message>
   <source>A against B: %1</source>
   <translation>A gegen B: %1</translation>
  </message>
  <message>
   <source>Locked boundaries</source>
   <translation>Gesperrte Grenzen</translation>
  </message>
  <message>
   <source>Pinned ops</source>
   <translation>Geheftete Operationen</translation>
  </message>
  <message>
   <source>Kept together</source>
   <translation>Zusammengehalten</translation>
  </message>
  <message>
   <source>Never sent</source>
   <translation>Nie gesendet</translation>
  </message>
  <message>
   <source>Memory limits</source>
   <translation>Speichergrenzen</translation>
  </message>
  <message>
   <source>%1 to %2</source>
   <translation>%1 bis %2</translation>
  </message>
  <message>
   <source>every device</source>
   <translation>jedes Gerät</translation>
  </message>
  <message>
   <source>held by %1</source>
   <translation>festgehalten von %1</translation>
  </message>
  <message>
   <source>stays with %1</source>
   <translation>bleibt bei %1</translation>
  </message>
  <message>
   <source>None. The menu of an op, a module or a boundary in the graph locks, pins and keeps together.</source>
   <translation>Keine. Das Menü einer Operation, eines Moduls oder einer Grenze im Graphen sperrt, heftet und hält zusammen.</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>Löschen</translation>
  </message>
  <message>
   <source>Constraints in force</source>
   <translation>Geltende Vorgaben</translation>
  </message>
  <message>
   <source>Constraint</source>
   <translation>Vorgabe</translation>
  </message>
  <message>
   <source>What it says</source>
   <translation>Was sie sagt</translation>
  </message>
  <message>
   <source>Delete what is chosen here (Delete): it no longer holds, and one undo brings it back</source>
   <translation>Das hier Gewählte löschen (Entf): es gilt nicht mehr; Rückgängig bringt es zurück</translation>
  </message>
  <message>
   <source>The most that its matrix units do, without sparsity</source>
   <translation>Das meiste, was seine Matrixeinheiten leisten, ohne Dünnbesetztheit</translation>
  </message>
  <message>
   <source>What a program sees of it, such as 80 GiB</source>
   <translation>Was ein Programm davon sieht, etwa 80 GiB</translation>
  </message>
  <message>
   <source>Driver's memory</source>
   <translation>Speicher des Treibers</translation>
  </message>
  <message>
   <source>What the driver and its libraries take before the first tensor</source>
   <translation>Was Treiber und Bibliotheken vor dem ersten Tensor nehmen</translation>
  </message>
  <message>
   <source>Memory bandwidth</source>
   <translation>Speicherbandbreite</translation>
  </message>
  <message>
   <source>To its own memory, such as 3.35 TB/s</source>
   <translation>Zum eigenen Speicher, etwa 3.35 TB/s</translation>
  </message>
  <message>
   <source>Link bandwidth</source>
   <translation>Bandbreite der Verbindung</translation>
  </message>
  <message>
   <source>To the next device, one direction, such as 25 GB/s or 200 Gbit/s</source>
   <translation>Zum nächsten Gerät, in eine Richtung, etwa 25 GB/s oder 200 Gbit/s</translation>
  </message>
  <message>
   <source>Link latency</source>
   <translation>Latenz der Verbindung</translation>
  </message>
  <message>
   <source>Of each message, such as 5 us</source>
   <translation>Jeder Nachricht, etwa 5 us</translation>
  </message>
  <message>
   <source>Launch of a kernel</source>
   <translation>Start eines Kernels</translation>
  </message>
  <message>
   <source>From the start of the shortest to the next</source>
   <translation>Vom Start des kürzesten bis zum nächsten</translation>
  </message>
  <message>
   <source>Dispatch of an operator</source>
   <translation>Aufruf eines Operators</translation>
  </message>
  <message>
   <source>What the program takes to hand it over; empty: nothing</source>
   <translation>Was das Programm braucht, um ihn zu übergeben; leer: nichts</translation>
  </message>
  <message>
   <source>Dispatch, backward</source>
   <translation>Aufruf, rückwärts</translation>
  </message>
  <message>
   <source>The same in a backward pass, which no Python hands over; empty: as forward</source>
   <translation>Dasselbe im Rückwärtslauf, den kein Python übergibt; leer: wie vorwärts</translation>
  </message>
  <message>
   <source>Dispatch of a view</source>
   <translation>Aufruf einer Sicht</translation>
  </message>
  <message>
   <source>Of what launches no kernel; empty: as of an operator</source>
   <translation>Dessen, was keinen Kernel startet; leer: wie bei einem Operator</translation>
  </message>
  <message>
   <source>Dispatch of a view, backward</source>
   <translation>Aufruf einer Sicht, rückwärts</translation>
  </message>
  <message>
   <source>The same in a backward pass; empty: as forward</source>
   <translation>Dasselbe im Rückwärtslauf; leer: wie vorwärts</translation>
  </message>
  <message>
   <source>float32</source>
   <translation>float32</translation>
  </message>
  <message>
   <source>TF32</source>
   <translation>TF32</translation>
  </message>
  <message>
   <source>Of float32 convolutions, where cuDNN rounds them; empty: it does not</source>
   <translation>Von float32-Faltungen, wo cuDNN sie rundet; leer: tut es nicht</translation>
  </message>
  <message>
   <source>float16</source>
   <translation>float16</translation>
  </message>
  <message>
   <source>bfloat16</source>
   <translation>bfloat16</translation>
  </message>
  <message>
   <source>float64</source>
   <translation>float64</translation>
  </message>
  <message>
   <source>elementwise</source>
   <translation>elementweise</translation>
  </message>
  <message>
   <source>What it does outside its matrix units, in float32</source>
   <translation>Was es außerhalb der Matrixeinheiten leistet, in float32</translation>
  </message>
  <message>
   <source>GPU with CUDA</source>
   <translation>GPU mit CUDA</translation>
  </message>
  <message>
   <source>CPU</source>
   <translation>CPU</translation>
  </message>
  <message>
   <source>Compute capability</source>
   <translation>Compute Capability</translation>
  </message>
  <message>
   <source>Peak, %1</source>
   <translation>Spitze, %1</translation>
  </message>
  <message>
   <source>Share of the peak reached</source>
   <translation>Erreichter Anteil der Spitze</translation>
  </message>
  <message>
   <source>By matrix products that have no curve of their own</source>
   <translation>Von Matrixprodukten ohne eigene Kurve</translation>
  </message>
  <message>
   <source>Share of the bandwidth reached</source>
   <translation>Erreichter Anteil der Bandbreite</translation>
  </message>
  <message>
   <source>What else the device file has</source>
   <translation>Was die Gerätedatei sonst enthält</translation>
  </message>
  <message>
   <source>Efficiency curves of %1 classes of operators scale these figures.</source>
   <translation>Effizienzkurven von %1 Klassen von Operatoren skalieren diese Werte.</translation>
  </message>
  <message>
   <source>Measured times of %1 operators go before them.</source>
   <translation>Gemessene Zeiten von %1 Operatoren gehen ihnen vor.</translation>
  </message>
  <message>
   <source>Family</source>
   <translation>Familie</translation>
  </message>
  <message>
   <source>Published model</source>
   <translation>Veröffentlichtes Modell</translation>
  </message>
  <message>
   <source>Published</source>
   <translation>Veröffentlicht</translation>
  </message>
  <message>
   <source>Own sizes</source>
   <translation>Eigene Größen</translation>
  </message>
  <message>
   <source>In the order in which they were made; a star keeps a plan</source>
   <translation>In der Reihenfolge ihrer Entstehung; ein Stern behält einen Plan</translation>
  </message>
  <message>
   <source>Differences are to B, where there is one</source>
   <translation>Unterschiede sind zu B, wo es eines gibt</translation>
  </message>
  <message>
   <source>How far it can be from the best that was asked for</source>
   <translation>Wie weit er vom besten entfernt sein kann, nach dem gefragt wurde</translation>
  </message>
  <message>
   <source>Stages, and the devices they run on</source>
   <translation>Stufen, und die Geräte, auf denen sie laufen</translation>
  </message>
  <message>
   <source>Made for</source>
   <translation>Gemacht für</translation>
  </message>
  <message>
   <source>How</source>
   <translation>Wie</translation>
  </message>
  <message>
   <source>How it arose</source>
   <translation>Wie er entstand</translation>
  </message>
  <message>
   <source>When</source>
   <translation>Wann</translation>
  </message>
  <message>
   <source>When it was made</source>
   <translation>Wann er gemacht wurde</translation>
  </message>
  <message>
   <source>Every plan that you try is listed here, to go back to and to compare with.</source>
   <translation>Jeder Plan, den Sie versuchen, steht hier, zum Zurückkehren und Vergleichen.</translation>
  </message>
  <message>
   <source>All plans that were tried; Enter goes back to one</source>
   <translation>Alle versuchten Pläne; Eingabe kehrt zu einem zurück</translation>
  </message>
  <message>
   <source>Plans that were tried</source>
   <translation>Versuchte Pläne</translation>
  </message>
  <message>
   <source>Go back to it</source>
   <translation>Zu ihm zurückkehren</translation>
  </message>
  <message>
   <source>Make it the plan again: one step of undo (Enter)</source>
   <translation>Ihn wieder zum Plan machen: ein Schritt von Rückgängig (Eingabe)</translation>
  </message>
  <message>
   <source>★ Star</source>
   <translation>★ Stern</translation>
  </message>
  <message>
   <source>Keep it, or no longer (*)</source>
   <translation>Behalten, oder nicht mehr (*)</translation>
  </message>
  <message>
   <source>Keep as B</source>
   <translation>Als B behalten</translation>
  </message>
  <message>
   <source>Compare the plan with it (B)</source>
   <translation>Den Plan damit vergleichen (B)</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Take it out of the list (Delete)</source>
   <translation>Aus der Liste nehmen (Entf)</translation>
  </message>
  <message>
   <source>☆ Take the star off</source>
   <translation>☆ Stern wegnehmen</translation>
  </message>
  <message>
   <source>Output '%1'</source>
   <translation>Ausgabe „%1“</translation>
  </message>
  <message>
   <source>Sum of output '%1'</source>
   <translation>Summe der Ausgabe „%1“</translation>
  </message>
  <message>
   <source>Sum of all outputs (tests the stages, trains nothing)</source>
   <translation>Summe aller Ausgaben (prüft die Stufen, trainiert nichts)</translation>
  </message>
  <message>
   <source>None: no output needs a gradient</source>
   <translation>Keine: keine Ausgabe braucht einen Gradienten</translation>
  </message>
  <message>
   <source>Choose the output that is the loss</source>
   <translation>Wählen Sie die Ausgabe, die der Loss ist</translation>
  </message>
  <message>
   <source>The only output with dimensions</source>
   <translation>Die einzige Ausgabe mit Dimensionen</translation>
  </message>
  <message>
   <source>More options</source>
   <translation>Mehr Optionen</translation>
  </message>
  <message>
   <source>The optimizer works on float32 copies of lower-precision parameters</source>
   <translation>Der Optimierer arbeitet auf float32-Kopien von Parametern niedrigerer Genauigkeit</translation>
  </message>
  <message>
   <source>The output that a training step goes back from</source>
   <translation>Die Ausgabe, von der ein Trainingsschritt zurückgeht</translation>
  </message>
  <message>
   <source>all</source>
   <translation>alle</translation>
  </message>
  <message>
   <source>Devices and links by stage</source>
   <translation>Geräte und Verbindungen je Stufe</translation>
  </message>
  <message>
   <source>Put stages on</source>
   <translation>Stufen setzen auf</translation>
  </message>
  <message>
   <source>The chosen stages run on another kind of device: its speed with this model, its memory and its link are filled in</source>
   <translation>Die gewählten Stufen laufen auf einem anderen Gerät: sein Tempo mit diesem Modell, sein Speicher und seine Verbindung werden eingetragen</translation>
  </message>
  <message>
   <source>What is wrong with the last entry</source>
   <translation>Was mit der letzten Eingabe nicht stimmt</translation>
  </message>
  <message>
   <source>What each stage runs on</source>
   <translation>Worauf jede Stufe läuft</translation>
  </message>
  <message>
   <source>Speed</source>
   <translation>Tempo</translation>
  </message>
  <message>
   <source>Limit</source>
   <translation>Limit</translation>
  </message>
  <message>
   <source>Link</source>
   <translation>Verbindung</translation>
  </message>
  <message>
   <source>Latency</source>
   <translation>Latenz</translation>
  </message>
  <message>
   <source>What the stage runs on; select stages and put them on another kind below</source>
   <translation>Worauf die Stufe läuft; Stufen auswählen und unten auf ein anderes Gerät setzen</translation>
  </message>
  <message>
   <source>Of its device, that of the plan being 1</source>
   <translation>Ihres Geräts, das des Plans ist 1</translation>
  </message>
  <message>
   <source>The most that its device may hold, such as 30 GiB</source>
   <translation>Das meiste, was ihr Gerät halten darf, etwa 30 GiB</translation>
  </message>
  <message>
   <source>To the next stage, one direction, such as 25 GB/s</source>
   <translation>Zur nächsten Stufe, in eine Richtung, etwa 25 GB/s</translation>
  </message>
  <message>
   <source>Stages share devices: all are alike</source>
   <translation>Stufen teilen sich Geräte: alle sind gleich</translation>
  </message>
  <message>
   <source>Longest:</source>
   <translation>Am längsten:</translation>
  </message>
  <message>
   <source>%1 over %2|%3 %4</source>
   <translation>%1 über %2|%3 %4</translation>
  </message>
  <message>
   <source>Crossing:</source>
   <translation>Über Grenzen:</translation>
  </message>
  <message>
   <source>Run it by another schedule: %1</source>
   <translation>Mit einem anderen Ablauf: %1</translation>
  </message>
  <message>
   <source>slowest</source>
   <translation>langsamste</translation>
  </message>
  <message>
   <source>step</source>
   <translation>Schritt</translation>
  </message>
  <message>
   <source>still over the memory limit</source>
   <translation>weiter über der Speichergrenze</translation>
  </message>
  <message>
   <source>keeps within the memory limit</source>
   <translation>bleibt in der Speichergrenze</translation>
  </message>
  <message>
   <source>The type in which the step computes: that of the file, another for everything, or under autocast a lower one where that is safe</source>
   <translation>Der Typ, in dem der Schritt rechnet: der der Datei, ein anderer für alles, oder unter Autocast ein niedrigerer, wo das sicher ist</translation>
  </message>
  <message>
   <source>In which order a device runs the forward and backward of its microbatches. Where a device runs several stages, another schedule keeps the devices, and the number of stages follows</source>
   <translation>In welcher Reihenfolge ein Gerät seine Mikrobatches vorwärts und rückwärts rechnet. Wo ein Gerät mehrere Stufen hat, behält ein anderer Ablauf die Geräte, und die Zahl der Stufen folgt</translation>
  </message>
  <message>
   <source>What becomes of the boundaries when another choice here leaves their number as it is: they stay, and the figures follow; or the best split for the new choice is searched for</source>
   <translation>Was aus den Grenzen wird, wenn eine andere Wahl ihre Zahl nicht ändert: sie bleiben, und die Zahlen folgen; oder die beste Aufteilung für die neue Wahl wird gesucht</translation>
  </message>
  <message>
   <source>How many stages the model is cut into: devices × stages per device</source>
   <translation>In wie viele Stufen das Modell geteilt wird: Geräte × Stufen pro Gerät</translation>
  </message>
  <message>
   <source>How many devices the stages run on</source>
   <translation>Auf wie vielen Geräten die Stufen laufen</translation>
  </message>
  <message>
   <source>How a value reaches a stage that is not the next one. What is exported hands it on from stage to stage, whatever is chosen here</source>
   <translation>Wie ein Wert zu einer Stufe kommt, die nicht die nächste ist. Exportiertes reicht ihn von Stufe zu Stufe weiter, was immer hier gewählt ist</translation>
  </message>
  <message>
   <source>The most that a device may hold, such as 24 GiB; empty: what it has beside its driver</source>
   <translation>Das meiste, was ein Gerät halten darf, etwa 24 GiB; leer: was es neben seinem Treiber hat</translation>
  </message>
  <message>
   <source>What a search makes as short as it can: computing, receiving and sending of the slowest device; its computing alone; the longest of the three, where transfers run beside the computing; or the simulated time of a whole step</source>
   <translation>Was eine Suche so kurz macht, wie sie kann: Rechnen, Empfangen und Senden des langsamsten Geräts; nur sein Rechnen; das längste der drei, wo Übertragungen neben dem Rechnen laufen; oder die simulierte Zeit eines ganzen Schritts</translation>
  </message>
  <message>
   <source>How many stages each device runs in turn; the devices stay, and the number of stages follows</source>
   <translation>Wie viele Stufen jedes Gerät abwechselnd ausführt; die Geräte bleiben, und die Zahl der Stufen folgt</translation>
  </message>
  <message>
   <source>Stages on devices</source>
   <translation>Stufen auf Geräten</translation>
  </message>
  <message>
   <source>What is wrong with the schedule</source>
   <translation>Was mit dem Ablauf nicht stimmt</translation>
  </message>
  <message>
   <source>What the figures of the plan leave out</source>
   <translation>Was die Zahlen des Plans auslassen</translation>
  </message>
  <message>
   <source>Keep the boundaries</source>
   <translation>Die Grenzen behalten</translation>
  </message>
  <message>
   <source>Split again</source>
   <translation>Neu aufteilen</translation>
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
   <translation>Nach Änderungen</translation>
  </message>
  <message>
   <source>Edit…</source>
   <translation>Ändern…</translation>
  </message>
  <message>
   <source>Look at devices, make and change one's own, import a device file</source>
   <translation>Geräte ansehen, eigene anlegen und ändern, eine Gerätedatei importieren</translation>
  </message>
  <message>
   <source>Splitting</source>
   <translation>Wird aufgeteilt</translation>
  </message>
  <message>
   <source>%1. Until then no change here takes effect.</source>
   <translation>%1. Bis dahin wirkt hier keine Änderung.</translation>
  </message>
  <message>
   <source>%1, %2 GB/s memory, %3 GB/s link</source>
   <translation>%1, %2 GB/s Speicher, %3 GB/s Verbindung</translation>
  </message>
  <message>
   <source>by stage</source>
   <translation>je Stufe</translation>
  </message>
  <message>
   <source>is</source>
   <translation>ist</translation>
  </message>
  <message>
   <source>is at most</source>
   <translation>ist höchstens</translation>
  </message>
  <message>
   <source>%1: exactly or at most</source>
   <translation>%1: genau oder höchstens</translation>
  </message>
  <message>
   <source>Figures from an upper bound are no more than upper bounds themselves</source>
   <translation>Zahlen aus einer oberen Schranke sind selbst nur obere Schranken</translation>
  </message>
  <message>
   <source>at most %1</source>
   <translation>höchstens %1</translation>
  </message>
  <message>
   <source>not given</source>
   <translation>nicht angegeben</translation>
  </message>
  <message>
   <source>The size %1 of the model: what the data are decides it; without a value it counts as the most that it can be</source>
   <translation>Die Größe %1 des Modells: was die Daten sind, entscheidet sie; ohne Wert zählt sie als das Höchste, was sie sein kann</translation>
  </message>
  <message>
   <source>The size %1 of the model: what the data are decides it, so a typical value has to be given</source>
   <translation>Die Größe %1 des Modells: die Daten bestimmen sie, deshalb muss ein typischer Wert angegeben werden</translation>
  </message>
  <message>
   <source>The size %1 of the model, exported with %2</source>
   <translation>Die Größe %1 des Modells, exportiert mit %2</translation>
  </message>
  <message>
   <source>The stage, in pipeline order</source>
   <translation>Die Stufe, in der Reihenfolge der Pipeline</translation>
  </message>
  <message>
   <source>Compute, receive and send for one microbatch, as the objective counts them. Ops in the graph take what they take in a step of the whole model; a stage hands its own to its device by itself, and adds gradients to those of the microbatches before</source>
   <translation>Rechnen, Empfangen und Senden für einen Mikrobatch, wie das Ziel sie zählt. Operationen im Graphen brauchen, was sie in einem Schritt des ganzen Modells brauchen; eine Stufe gibt ihre eigenen selbst an ihr Gerät und addiert Gradienten zu denen der Mikrobatches davor</translation>
  </message>
  <message>
   <source>Peak</source>
   <translation>Spitze</translation>
  </message>
  <message>
   <source>The most that the stage holds at once, against the limit of its device</source>
   <translation>Das meiste, was die Stufe zugleich hält, gegen das Limit ihres Geräts</translation>
  </message>
  <message>
   <source>Idle</source>
   <translation>Untätig</translation>
  </message>
  <message>
   <source>The share of a step in which the stage's device computes nothing: it waits, or is held up by transfers. The mean of all devices is the bubble</source>
   <translation>Der Anteil eines Schritts, in dem das Gerät der Stufe nichts rechnet: es wartet, oder Übertragungen halten es auf. Das Mittel aller Geräte ist der Leerlauf</translation>
  </message>
  <message>
   <source>Activations down and gradients up, for one microbatch</source>
   <translation>Aktivierungen abwärts und Gradienten aufwärts, für einen Mikrobatch</translation>
  </message>
  <message>
   <source>Received</source>
   <translation>Empfangen</translation>
  </message>
  <message>
   <source>Activations from above and gradients from below, for one microbatch</source>
   <translation>Aktivierungen von oben und Gradienten von unten, für einen Mikrobatch</translation>
  </message>
  <message>
   <source>Forward compute for one microbatch</source>
   <translation>Rechnen vorwärts für einen Mikrobatch</translation>
  </message>
  <message>
   <source>Backward compute for one microbatch</source>
   <translation>Rechnen rückwärts für einen Mikrobatch</translation>
  </message>
  <message>
   <source>Run again</source>
   <translation>Erneut</translation>
  </message>
  <message>
   <source>Of the backward pass: forward passes that are run again instead of having all of them kept (Recompute, in the plan's options)</source>
   <translation>Ein Teil von rückwärts: was vorwärts noch einmal läuft, statt ganz behalten zu werden (Neuberechnung, in den Optionen des Plans)</translation>
  </message>
  <message>
   <source>Activations kept from forward to backward, of all microbatches in flight</source>
   <translation>Aktivierungen, die von vorwärts bis rückwärts behalten werden, aller Mikrobatches unterwegs</translation>
  </message>
  <message>
   <source>Not kept</source>
   <translation>Nicht behalten</translation>
  </message>
  <message>
   <source>What it would keep besides, of all microbatches in flight, if nothing were run again</source>
   <translation>Was sie außerdem behielte, aller Mikrobatches unterwegs, wenn nichts noch einmal liefe</translation>
  </message>
  <message>
   <source>Of its peak, what the run-time of the pipeline holds (Run-time, in the plan's options)</source>
   <translation>Was von der Spitze die Laufzeitumgebung der Pipeline hält (Laufzeitumgebung in den Optionen des Plans)</translation>
  </message>
  <message>
   <source>Bytes of the parameters themselves</source>
   <translation>Bytes der Parameter selbst</translation>
  </message>
  <message>
   <source>In flight</source>
   <translation>Unterwegs</translation>
  </message>
  <message>
   <source>Microbatches whose activations it keeps at once, by schedule and position</source>
   <translation>Mikrobatches, deren Aktivierungen sie zugleich behält, nach Ablauf und Stelle</translation>
  </message>
  <message>
   <source>Operators in the stage</source>
   <translation>Operationen in der Stufe</translation>
  </message>
  <message>
   <source>
Device %1 runs %2: %3 for one microbatch, holds %4 at once, idle %5</source>
   <translation>
Gerät %1 führt %2 aus: %3 für einen Mikrobatch, hält %4 zugleich, untätig %5</translation>
  </message>
  <message>
   <source>
%1 over the limit of %2</source>
   <translation>
%1 über dem Limit von %2</translation>
  </message>
  <message>
   <source>State (parameters, gradients, optimizer) %1
Activations %2 for each of %3 microbatches in flight
While one op runs %4</source>
   <translation>Zustand (Parameter, Gradienten, Optimierer) %1
Aktivierungen %2 für jeden von %3 Mikrobatches unterwegs
Während eine Operation läuft %4</translation>
  </message>
  <message>
   <source>
Gradients between the two parts of backward %1</source>
   <translation>
Gradienten zwischen den beiden Teilen des Rückwärtslaufs %1</translation>
  </message>
  <message>
   <source>
Let go between these parts %1</source>
   <translation>
Davon zwischen diesen Teilen freigegeben %1</translation>
  </message>
  <message>
   <source>
Buffers of the run-time %1</source>
   <translation>
Puffer der Laufzeitumgebung %1</translation>
  </message>
  <message>
   <source>
Fits into %1</source>
   <translation>
Passt in %1</translation>
  </message>
  <message>
   <source>Its time is all three together</source>
   <translation>Ihre Zeit ist alles drei zusammen</translation>
  </message>
  <message>
   <source>Its time is computing alone: that is what the plan is searched for</source>
   <translation>Ihre Zeit ist nur das Rechnen: danach wird der Plan gesucht</translation>
  </message>
  <message>
   <source>Its time is the longest of the three: transfers run beside the computing</source>
   <translation>Ihre Zeit ist das längste der drei: Übertragungen laufen neben dem Rechnen</translation>
  </message>
  <message>
   <source>Compute %1, receive %2, send %3, for one microbatch
%4
The tick is the average of all stages</source>
   <translation>Rechnen %1, empfangen %2, senden %3, für einen Mikrobatch
%4
Der Strich ist das Mittel aller Stufen</translation>
  </message>
  <message>
   <source>%1 for each of %2 microbatches in flight</source>
   <translation>%1 für jeden von %2 Mikrobatches unterwegs</translation>
  </message>
  <message>
   <source>Gradients of activations %1, of parameters %2</source>
   <translation>Gradienten der Aktivierungen %1, der Parameter %2</translation>
  </message>
  <message>
   <source>device %1</source>
   <translation>Gerät %1</translation>
  </message>
  <message>
   <source>, the slowest</source>
   <translation>, die langsamste</translation>
  </message>
  <message numerus="yes">
   <source>The best split into %n stage(s) is being looked for.</source>
   <translation>
    <numerusform>Die beste Aufteilung in %n Stufe wird gesucht.</numerusform>
    <numerusform>Die beste Aufteilung in %n Stufen wird gesucht.</numerusform>
   </translation>
  </message>
  <message>
   <source>What each stage costs appears here once the model is profiled and split.</source>
   <translation>Was jede Stufe kostet, erscheint hier, sobald die Kosten des Modells ermittelt sind und es aufgeteilt ist.</translation>
  </message>
  <message>
   <source>Costs of each stage; moves, adds and removes boundaries with the keyboard</source>
   <translation>Kosten jeder Stufe; verschiebt, fügt hinzu und entfernt Grenzen mit der Tastatur</translation>
  </message>
  <message>
   <source>Step %1 · bubble %2 · %3 sent for each microbatch</source>
   <translation>Schritt %1 · Leerlauf %2 · %3 je Mikrobatch gesendet</translation>
  </message>
  <message>
   <source>Not split yet: the figures are of the whole model</source>
   <translation>Noch nicht aufgeteilt: Die Zahlen gelten für das ganze Modell</translation>
  </message>
  <message>
   <source>&lt;b&gt;%1&lt;/b&gt; is the slowest: &lt;b&gt;%2&lt;/b&gt;</source>
   <translation>&lt;b&gt;%1&lt;/b&gt; ist am langsamsten: &lt;b&gt;%2&lt;/b&gt;</translation>
  </message>
  <message>
   <source>Step: one training step of all microbatches, by simulating the schedule.
Bubble: the share of all devices' time in which they compute nothing, the mean of their idle shares.
Sent: activations and gradients over all boundaries, for one microbatch.</source>
   <translation>Schritt: ein Trainingsschritt aller Mikrobatches, nach Simulation des Ablaufs.
Leerlauf: der Anteil der Zeit aller Geräte, in der sie nichts rechnen, das Mittel ihrer untätigen Anteile.
Gesendet: Aktivierungen und Gradienten über alle Grenzen, für einen Mikrobatch.</translation>
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
   <translation>weniger Speicher</translation>
  </message>
  <message>
   <source>less time</source>
   <translation>weniger Zeit</translation>
  </message>
  <message>
   <source>Weigh memory against time</source>
   <translation>Speicher gegen Zeit abwägen</translation>
  </message>
  <message>
   <source>With how little memory the stages can do when backward runs things again, and what time that costs.</source>
   <translation>Mit wie wenig Speicher die Stufen auskommen, wenn rückwärts manches noch einmal läuft, und wie viel Zeit das kostet.</translation>
  </message>
  <message>
   <source>Memory can be weighed against time once there is a training step.</source>
   <translation>Speicher lässt sich gegen Zeit abwägen, sobald es einen Trainingsschritt gibt.</translation>
  </message>
  <message>
   <source>What runs again in backward so that no stage holds more; the stages stay</source>
   <translation>Was rückwärts noch einmal läuft, damit keine Stufe mehr hält; die Stufen bleiben</translation>
  </message>
  <message>
   <source>What that costs</source>
   <translation>Was das kostet</translation>
  </message>
  <message>
   <source>%1 at most in a stage · slowest stage %2 · </source>
   <translation>höchstens %1 je Stufe · langsamste Stufe %2 · </translation>
  </message>
  <message>
   <source>%1 of all computing runs again</source>
   <translation>%1 allen Rechnens läuft noch einmal</translation>
  </message>
  <message>
   <source>nothing runs again</source>
   <translation>nichts läuft noch einmal</translation>
  </message>
  <message>
   <source>Another plan than now: </source>
   <translation>Ein anderer Plan als jetzt: </translation>
  </message>
  <message>
   <source>: nothing here can run again with a gain</source>
   <translation>: nichts hier kann mit Gewinn noch einmal laufen</translation>
  </message>
  <message>
   <source>Copy as CSV</source>
   <translation>Als CSV kopieren</translation>
  </message>
  <message>
   <source>Copy as Markdown</source>
   <translation>Als Markdown kopieren</translation>
  </message>
  <message>
   <source>Filter rows</source>
   <translation>Zeilen filtern</translation>
  </message>
  <message>
   <source>Rows with these words; Esc: all rows</source>
   <translation>Zeilen mit diesen Wörtern; Esc: alle Zeilen</translation>
  </message>
  <message>
   <source>%1 rows</source>
   <translation>%1 Zeilen</translation>
  </message>
  <message>
   <source>Save table…</source>
   <translation>Tabelle speichern…</translation>
  </message>
  <message>
   <source>Markdown (*.md)</source>
   <translation>Markdown (*.md)</translation>
  </message>
  <message>
   <source>Save the table</source>
   <translation>Die Tabelle speichern</translation>
  </message>
  <message>
   <source>Columns as at first</source>
   <translation>Spalten wie zu Anfang</translation>
  </message>
 </context>
</TS>
