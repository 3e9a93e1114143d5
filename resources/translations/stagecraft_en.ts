<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
 <context>
  <name>Stagecraft</name>
  <message numerus="yes">
   <source>Release %n op(s)</source>
   <translation>
    <numerusform>Release %n op</numerusform>
    <numerusform>Release %n ops</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Pin %n op(s) to the stage</source>
   <translation>
    <numerusform>Pin %n op to the stage</numerusform>
    <numerusform>Pin %n ops to the stage</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>No longer treat %n module(s) as a block</source>
   <translation>
    <numerusform>No longer treat %n module as a block</numerusform>
    <numerusform>No longer treat %n modules as a block</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Treat %n module(s) as a block</source>
   <translation>
    <numerusform>Treat %n module as a block</numerusform>
    <numerusform>Treat %n modules as a block</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Keep %n op(s) together</source>
   <translation>
    <numerusform>Keep %n op together</numerusform>
    <numerusform>Keep %n ops together</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Send %n op(s) to the next stage</source>
   <translation>
    <numerusform>Send %n op to the next stage</numerusform>
    <numerusform>Send %n ops to the next stage</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Send %n op(s) to the previous stage</source>
   <translation>
    <numerusform>Send %n op to the previous stage</numerusform>
    <numerusform>Send %n ops to the previous stage</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Take the plan of %n stage(s)</source>
   <translation>
    <numerusform>Take the plan of %n stage</numerusform>
    <numerusform>Take the plan of %n stages</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Send %n op(s) to stage %1</source>
   <translation>
    <numerusform>Send %n op to stage %1</numerusform>
    <numerusform>Send %n ops to stage %1</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Devices of %n stage(s)</source>
   <translation>
    <numerusform>Devices of %n stage</numerusform>
    <numerusform>Devices of %n stages</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>%1 and %n more</source>
   <translation>
    <numerusform>%1 and %n more</numerusform>
    <numerusform>%1 and %n more</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>%n op(s)</source>
   <translation>
    <numerusform>%n op</numerusform>
    <numerusform>%n ops</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>splitting into %n stage(s)…</source>
   <translation>
    <numerusform>splitting into %n stage…</numerusform>
    <numerusform>splitting into %n stages…</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>The best split into %n stage(s) is being looked for.</source>
   <translation>
    <numerusform>The best split into %n stage is being looked for.</numerusform>
    <numerusform>The best split into %n stages is being looked for.</numerusform>
   </translation>
  </message>
 </context>
</TS>
