<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh" sourcelanguage="en">
 <context>
  <name>Stagecraft</name>
  <message>
   <source>OK</source>
   <translation>确定</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>取消</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>保存</translation>
  </message>
  <message>
   <source>Discard</source>
   <translation>放弃</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>关闭</translation>
  </message>
  <message>
   <source>Restore Defaults</source>
   <translation>恢复默认值</translation>
  </message>
  <message>
   <source>Writing code</source>
   <translation>正在写代码</translation>
  </message>
  <message numerus="yes">
   <source>Release %n op(s)</source>
   <translation>
    <numerusform>释放 %n 个算子</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Pin %n op(s) to the stage</source>
   <translation>
    <numerusform>把 %n 个算子固定在阶段</numerusform>
   </translation>
  </message>
  <message>
   <source>Let results be sent</source>
   <translation>允许发送结果</translation>
  </message>
  <message>
   <source>Never send results</source>
   <translation>从不发送结果</translation>
  </message>
  <message numerus="yes">
   <source>No longer treat %n module(s) as a block</source>
   <translation>
    <numerusform>不再把 %n 个模块当作整体</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Treat %n module(s) as a block</source>
   <translation>
    <numerusform>把 %n 个模块当作整体</numerusform>
   </translation>
  </message>
  <message>
   <source>Unlock boundary %1</source>
   <translation>解锁边界 %1</translation>
  </message>
  <message>
   <source>Lock boundary %1</source>
   <translation>锁定边界 %1</translation>
  </message>
  <message>
   <source>Select two ops or more, or a module, to keep them together.</source>
   <translation>请选择两个以上算子或一个模块以保持在一起。</translation>
  </message>
  <message numerus="yes">
   <source>Keep %n op(s) together</source>
   <translation>
    <numerusform>把 %n 个算子保持在一起</numerusform>
   </translation>
  </message>
  <message>
   <source>No longer keep together</source>
   <translation>不再保持在一起</translation>
  </message>
  <message>
   <source>Split automatically</source>
   <translation>自动切分</translation>
  </message>
  <message>
   <source>The boundary %1 is locked.</source>
   <translation>边界 %1 已锁定。</translation>
  </message>
  <message>
   <source>Move boundary %1</source>
   <translation>移动边界 %1</translation>
  </message>
  <message>
   <source>Add a boundary</source>
   <translation>添加边界</translation>
  </message>
  <message>
   <source>Remove boundary %1</source>
   <translation>删除边界 %1</translation>
  </message>
  <message numerus="yes">
   <source>Send %n op(s) to the next stage</source>
   <translation>
    <numerusform>把 %n 个算子移到后一阶段</numerusform>
   </translation>
  </message>
  <message numerus="yes">
   <source>Send %n op(s) to the previous stage</source>
   <translation>
    <numerusform>把 %n 个算子移到前一阶段</numerusform>
   </translation>
  </message>
  <message>
   <source>Reading a measured step</source>
   <translation>正在读取实测步骤</translation>
  </message>
  <message>
   <source>Comparing numbers of stages</source>
   <translation>正在比较阶段数</translation>
  </message>
  <message numerus="yes">
   <source>Take the plan of %n stage(s)</source>
   <translation>
    <numerusform>采用 %n 个阶段的方案</numerusform>
   </translation>
  </message>
  <message>
   <source>Looking for the largest batch</source>
   <translation>正在寻找最大批次</translation>
  </message>
  <message>
   <source>Looking for advice</source>
   <translation>正在寻找建议</translation>
  </message>
  <message>
   <source>Looking for trade-offs</source>
   <translation>正在寻找折中方案</translation>
  </message>
  <message>
   <source>Take the plan of “%1”</source>
   <translation>采用“%1”的方案</translation>
  </message>
  <message>
   <source>Running a step</source>
   <translation>正在运行一步</translation>
  </message>
  <message>
   <source>Measuring every op</source>
   <translation>正在测量每个算子</translation>
  </message>
  <message>
   <source>Take the measured times</source>
   <translation>采用测得的时间</translation>
  </message>
  <message>
   <source>Reading times</source>
   <translation>正在读取时间</translation>
  </message>
  <message>
   <source>Take the times of a file</source>
   <translation>采用文件中的时间</translation>
  </message>
  <message>
   <source>The costs of this model are not known yet.</source>
   <translation>此模型的开销尚未得知。</translation>
  </message>
  <message numerus="yes">
   <source>Send %n op(s) to stage %1</source>
   <translation>
    <numerusform>把 %n 个算子移到阶段 %1</numerusform>
   </translation>
  </message>
  <message>
   <source>%1 is open in another window, too: edits made here are not kept for recovery. Save the plan to keep them, or close the other window and reload.</source>
   <translation>%1 也在另一个窗口中打开：此处的编辑不会保留以供恢复。请保存方案，或关闭另一个窗口后重新载入。</translation>
  </message>
  <message>
   <source>Saving %1</source>
   <translation>正在保存 %1</translation>
  </message>
  <message>
   <source>Restore the edits</source>
   <translation>恢复编辑</translation>
  </message>
  <message>
   <source>Opening %1</source>
   <translation>正在打开 %1</translation>
  </message>
  <message>
   <source>The memory limit was of the model before; this one may use what its devices have.</source>
   <translation>内存上限属于之前的模型；此模型可使用其设备的全部可用内存。</translation>
  </message>
  <message>
   <source>The times were of other sizes; they are estimated now.</source>
   <translation>这些时间属于其他尺寸；现改为估算。</translation>
  </message>
  <message>
   <source>Profiling</source>
   <translation>正在分析开销</translation>
  </message>
  <message>
   <source>Split into %1 stages</source>
   <translation>切分为 %1 个阶段</translation>
  </message>
  <message>
   <source>Searching for the best split</source>
   <translation>正在搜索最佳切分</translation>
  </message>
  <message>
   <source>Looking for a bound</source>
   <translation>正在寻找界限</translation>
  </message>
  <message>
   <source>Reading weights</source>
   <translation>正在读取权重</translation>
  </message>
  <message>
   <source>The model has the weights of these files now; exports hold them.</source>
   <translation>模型现已使用这些文件的权重；导出会包含它们。</translation>
  </message>
  <message>
   <source>Transformer</source>
   <translation>Transformer</translation>
  </message>
  <message>
   <source>Residual CNN</source>
   <translation>残差卷积网络</translation>
  </message>
  <message>
   <source>Mixture of experts</source>
   <translation>混合专家</translation>
  </message>
  <message>
   <source>Encoder and decoder</source>
   <translation>编码器与解码器</translation>
  </message>
  <message>
   <source>Small transformer</source>
   <translation>小型 Transformer</translation>
  </message>
  <message>
   <source>with weights: exports run</source>
   <translation>带权重：导出可运行</translation>
  </message>
  <message>
   <source>%1 parameters, no weights</source>
   <translation>%1 参数，无权重</translation>
  </message>
  <message>
   <source>Drawing</source>
   <translation>正在绘图</translation>
  </message>
  <message>
   <source>Working out starred plans</source>
   <translation>正在计算星标方案</translation>
  </message>
  <message>
   <source>The starred plan “%1” of %2</source>
   <translation>%2 的星标方案“%1”</translation>
  </message>
  <message>
   <source>%1 does not apply any more: %2</source>
   <translation>%1 不再适用：%2</translation>
  </message>
  <message>
   <source>%1 was moved or removed. What is shown is as it was opened.</source>
   <translation>%1 已被移动或删除。显示的是打开时的内容。</translation>
  </message>
  <message>
   <source>%1 was changed on the disk. What is shown is the model as it was opened.</source>
   <translation>%1 在磁盘上已更改。显示的是打开时的模型。</translation>
  </message>
  <message>
   <source>Swap A and B</source>
   <translation>交换 A 与 B</translation>
  </message>
  <message>
   <source>Finding a plan to compare with</source>
   <translation>正在寻找用于比较的方案</translation>
  </message>
  <message>
   <source>Reading a plan to compare with</source>
   <translation>正在读取用于比较的方案</translation>
  </message>
  <message>
   <source>There is nothing to compare with: the plan is cut so already.</source>
   <translation>没有可比较的：该方案已经这样切分。</translation>
  </message>
  <message>
   <source>Opened</source>
   <translation>已打开</translation>
  </message>
  <message>
   <source>Return to plan %1</source>
   <translation>返回方案 %1</translation>
  </message>
  <message>
   <source>Recomputation for these boundaries</source>
   <translation>为这些边界选择重计算</translation>
  </message>
  <message>
   <source>Recomputation for boundaries to come</source>
   <translation>为后续边界准备重计算</translation>
  </message>
  <message>
   <source>Weighing memory against time</source>
   <translation>权衡内存与时间</translation>
  </message>
  <message>
   <source>Recompute for %1 a stage</source>
   <translation>重计算以达到每阶段 %1</translation>
  </message>
  <message>
   <source>%1 as exported</source>
   <translation>%1 按导出时</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>尺寸</translation>
  </message>
  <message>
   <source>Memory limit of the device</source>
   <translation>设备的内存上限</translation>
  </message>
  <message>
   <source>Memory limit</source>
   <translation>内存上限</translation>
  </message>
  <message>
   <source>Memory limits by stage</source>
   <translation>各阶段内存上限</translation>
  </message>
  <message>
   <source>Links of the device</source>
   <translation>设备的互连</translation>
  </message>
  <message>
   <source>Links</source>
   <translation>互连</translation>
  </message>
  <message>
   <source>Links by boundary</source>
   <translation>各边界的互连</translation>
  </message>
  <message numerus="yes">
   <source>Devices of %n stage(s)</source>
   <translation>
    <numerusform>%n 个阶段的设备</numerusform>
   </translation>
  </message>
  <message>
   <source>Stage %1</source>
   <translation>阶段 %1</translation>
  </message>
  <message>
   <source>Stages %1</source>
   <translation>阶段 %1</translation>
  </message>
  <message>
   <source>Master weights</source>
   <translation>主权重</translation>
  </message>
  <message>
   <source>No master weights</source>
   <translation>无主权重</translation>
  </message>
  <message>
   <source>The usual loss</source>
   <translation>默认损失</translation>
  </message>
  <message>
   <source>Loss</source>
   <translation>损失</translation>
  </message>
  <message>
   <source>Estimate times again</source>
   <translation>重新估算时间</translation>
  </message>
  <message>
   <source>Device</source>
   <translation>设备</translation>
  </message>
  <message>
   <source>Speeds by stage</source>
   <translation>各阶段速度</translation>
  </message>
  <message>
   <source>Search time</source>
   <translation>搜索时间</translation>
  </message>
  <message>
   <source>Stages per device</source>
   <translation>每设备阶段数</translation>
  </message>
  <message>
   <source>%1 choices</source>
   <translation>%1 项选择</translation>
  </message>
  <message>
   <source>Costs of operators</source>
   <translation>算子的开销</translation>
  </message>
  <message numerus="yes">
   <source>%1 and %n more</source>
   <translation>
    <numerusform>%1 及另外 %n 项</numerusform>
   </translation>
  </message>
  <message>
   <source>measured on another plan than this; it shows again with that one</source>
   <translation>在另一方案上测得；换回该方案时再次显示</translation>
  </message>
  <message>
   <source>%1, microbatches: %2</source>
   <translation>%1，微批次：%2</translation>
  </message>
  <message>
   <source>%1 · %2 microbatches · %3 · %4</source>
   <translation>%1 · %2 个微批次 · %3 · %4</translation>
  </message>
  <message>
   <source>About Stagecraft</source>
   <translation>关于 Stagecraft</translation>
  </message>
  <message>
   <source>&lt;h3&gt;Stagecraft %1&lt;/h3&gt;&lt;p&gt;Shows where a PyTorch model spends memory and time, and splits it into pipeline stages that run.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;</source>
   <translation>&lt;h3&gt;Stagecraft %1&lt;/h3&gt;&lt;p&gt;显示 PyTorch 模型的内存和时间开销，并切分为可运行的流水线阶段。&lt;/p&gt;&lt;p&gt;自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本。&lt;/p&gt;</translation>
  </message>
  <message>
   <source>Open a model or a plan</source>
   <translation>打开模型或方案</translation>
  </message>
  <message>
   <source>&amp;Open…</source>
   <translation>打开(&amp;O)…</translation>
  </message>
  <message>
   <source>Open a model or a plan in a window of its own</source>
   <translation>在单独的窗口中打开模型或方案</translation>
  </message>
  <message>
   <source>Open in another &amp;window…</source>
   <translation>在新窗口中打开(&amp;W)…</translation>
  </message>
  <message>
   <source>A window of its own for another model</source>
   <translation>为另一个模型打开单独的窗口</translation>
  </message>
  <message>
   <source>New win&amp;dow</source>
   <translation>新建窗口(&amp;D)</translation>
  </message>
  <message>
   <source>Read the model's file again</source>
   <translation>重新读取模型文件</translation>
  </message>
  <message>
   <source>Re&amp;load</source>
   <translation>重新载入(&amp;L)</translation>
  </message>
  <message>
   <source>Take the model's weights from .safetensors files, or a checkpoint's index</source>
   <translation>从 .safetensors 文件或检查点索引读取模型权重</translation>
  </message>
  <message>
   <source>Attach wei&amp;ghts…</source>
   <translation>附加权重(&amp;G)…</translation>
  </message>
  <message>
   <source>Lay what a run of the stages took over the planned step: files of pipeline.py --profile or of torch.profiler</source>
   <translation>把各阶段的实测时间叠加到计划的步骤上：pipeline.py --profile 或 torch.profiler 的文件</translation>
  </message>
  <message>
   <source>Open &amp;measured step…</source>
   <translation>打开实测步骤(&amp;M)…</translation>
  </message>
  <message>
   <source>Save the split to its *.stagecraft file</source>
   <translation>把切分保存到它的 *.stagecraft 文件</translation>
  </message>
  <message>
   <source>&amp;Save plan</source>
   <translation>保存方案(&amp;S)</translation>
  </message>
  <message>
   <source>Save the split to another *.stagecraft file</source>
   <translation>把切分保存到另一个 *.stagecraft 文件</translation>
  </message>
  <message>
   <source>Save plan &amp;as…</source>
   <translation>方案另存为(&amp;A)…</translation>
  </message>
  <message>
   <source>Write the stages as modules that run</source>
   <translation>把各阶段写成可运行的模块</translation>
  </message>
  <message>
   <source>&amp;Export stages…</source>
   <translation>导出各阶段(&amp;E)…</translation>
  </message>
  <message>
   <source>The plan as torchtitan, Megatron, DeepSpeed and others read it</source>
   <translation>供 torchtitan、Megatron、DeepSpeed 等读取的方案</translation>
  </message>
  <message>
   <source>Export plan for other &amp;frameworks…</source>
   <translation>为其他框架导出方案(&amp;F)…</translation>
  </message>
  <message>
   <source>Save the drawing of the graph as SVG, PDF or PNG</source>
   <translation>将计算图保存为 SVG、PDF 或 PNG</translation>
  </message>
  <message>
   <source>Export &amp;picture…</source>
   <translation>导出图片(&amp;P)…</translation>
  </message>
  <message>
   <source>Save plan and figures as one page for any browser</source>
   <translation>把方案和数据保存为任何浏览器都能打开的单个页面</translation>
  </message>
  <message>
   <source>Export repor&amp;t…</source>
   <translation>导出报告(&amp;T)…</translation>
  </message>
  <message>
   <source>Close this window</source>
   <translation>关闭此窗口</translation>
  </message>
  <message>
   <source>&amp;Close window</source>
   <translation>关闭窗口(&amp;C)</translation>
  </message>
  <message>
   <source>Close all windows</source>
   <translation>关闭所有窗口</translation>
  </message>
  <message>
   <source>&amp;Quit</source>
   <translation>退出(&amp;Q)</translation>
  </message>
  <message>
   <source>&amp;Undo</source>
   <translation>撤销(&amp;U)</translation>
  </message>
  <message>
   <source>Take back the last change of the plan</source>
   <translation>撤销对方案的上一次更改</translation>
  </message>
  <message>
   <source>&amp;Redo</source>
   <translation>重做(&amp;R)</translation>
  </message>
  <message>
   <source>Do again what was taken back</source>
   <translation>重做已撤销的更改</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>撤销</translation>
  </message>
  <message>
   <source>Redo</source>
   <translation>重做</translation>
  </message>
  <message>
   <source>Find ops by name, module, stage, shape or what they cost</source>
   <translation>按名称、模块、阶段、形状或开销查找算子</translation>
  </message>
  <message>
   <source>&amp;Find…</source>
   <translation>查找(&amp;F)…</translation>
  </message>
  <message>
   <source>Go to the next match</source>
   <translation>转到下一个匹配项</translation>
  </message>
  <message>
   <source>Find &amp;next</source>
   <translation>查找下一个(&amp;N)</translation>
  </message>
  <message>
   <source>Go to the match before</source>
   <translation>转到上一个匹配项</translation>
  </message>
  <message>
   <source>Find &amp;previous</source>
   <translation>查找上一个(&amp;P)</translation>
  </message>
  <message>
   <source>What is looked for, or all ops, in a table with what they cost</source>
   <translation>在表格中列出所查找的或全部算子及其开销</translation>
  </message>
  <message>
   <source>List &amp;operators</source>
   <translation>列出算子(&amp;O)</translation>
  </message>
  <message>
   <source>Find anything that can be done or gone to by its name</source>
   <translation>按名称查找任何命令或位置</translation>
  </message>
  <message>
   <source>Co&amp;mmands…</source>
   <translation>命令(&amp;M)…</translation>
  </message>
  <message>
   <source>Select every op</source>
   <translation>选择每一个算子</translation>
  </message>
  <message>
   <source>Select &amp;all ops</source>
   <translation>选择所有算子(&amp;A)</translation>
  </message>
  <message>
   <source>Select nothing</source>
   <translation>不选择任何内容</translation>
  </message>
  <message>
   <source>&amp;Clear selection</source>
   <translation>清除选择(&amp;C)</translation>
  </message>
  <message>
   <source>Select what was selected before</source>
   <translation>选择之前选中的内容</translation>
  </message>
  <message>
   <source>Previous se&amp;lection</source>
   <translation>上一次选择(&amp;L)</translation>
  </message>
  <message>
   <source>Select what was selected after this</source>
   <translation>选择之后选中的内容</translation>
  </message>
  <message>
   <source>Next selec&amp;tion</source>
   <translation>下一次选择(&amp;T)</translation>
  </message>
  <message>
   <source>Show the whole graph</source>
   <translation>显示整个图</translation>
  </message>
  <message>
   <source>&amp;Fit all</source>
   <translation>显示全部(&amp;F)</translation>
  </message>
  <message>
   <source>Show what is selected as large as it fits</source>
   <translation>把所选内容放大到合适大小</translation>
  </message>
  <message>
   <source>Frame &amp;selection</source>
   <translation>显示所选(&amp;S)</translation>
  </message>
  <message>
   <source>Show the graph at its natural size</source>
   <translation>以实际大小显示图</translation>
  </message>
  <message>
   <source>Show the graph larger</source>
   <translation>放大图</translation>
  </message>
  <message>
   <source>Zoom &amp;in</source>
   <translation>放大(&amp;I)</translation>
  </message>
  <message>
   <source>Show the graph smaller</source>
   <translation>缩小图</translation>
  </message>
  <message>
   <source>Zoom &amp;out</source>
   <translation>缩小(&amp;O)</translation>
  </message>
  <message>
   <source>Show or hide what is inside the selected box</source>
   <translation>显示或隐藏所选方框的内容</translation>
  </message>
  <message>
   <source>Open or c&amp;lose box	Enter</source>
   <translation>展开或折叠方框(&amp;L)	Enter</translation>
  </message>
  <message>
   <source>The same for every box inside it</source>
   <translation>对内部的每个方框做同样操作</translation>
  </message>
  <message>
   <source>Open or close with all &amp;below	Alt+Enter</source>
   <translation>连同内部全部展开或折叠(&amp;B)	Alt+Enter</translation>
  </message>
  <message>
   <source>Open every box</source>
   <translation>展开每个方框</translation>
  </message>
  <message>
   <source>&amp;Expand all</source>
   <translation>全部展开(&amp;E)</translation>
  </message>
  <message>
   <source>Close every box</source>
   <translation>折叠每个方框</translation>
  </message>
  <message>
   <source>&amp;Collapse all</source>
   <translation>全部折叠(&amp;C)</translation>
  </message>
  <message>
   <source>Draw ops that nothing depends on: counters, assertions</source>
   <translation>绘制没有其他算子依赖的算子：计数器、断言</translation>
  </message>
  <message>
   <source>Show &amp;hidden ops</source>
   <translation>显示隐藏的算子(&amp;H)</translation>
  </message>
  <message>
   <source>Draw equal neighbours once, with a count</source>
   <translation>相同的相邻项只画一次并标注数量</translation>
  </message>
  <message>
   <source>Fold &amp;repeats</source>
   <translation>合并重复项(&amp;R)</translation>
  </message>
  <message>
   <source>Leave the graph alone in the window</source>
   <translation>窗口中只保留图</translation>
  </message>
  <message>
   <source>Hi&amp;de all panels</source>
   <translation>隐藏所有面板(&amp;D)</translation>
  </message>
  <message>
   <source>Use the whole screen</source>
   <translation>使用整个屏幕</translation>
  </message>
  <message>
   <source>F&amp;ull screen</source>
   <translation>全屏(&amp;U)</translation>
  </message>
  <message>
   <source>Light or dark as the desktop is</source>
   <translation>明暗跟随系统</translation>
  </message>
  <message>
   <source>As the &amp;desktop</source>
   <translation>跟随系统(&amp;D)</translation>
  </message>
  <message>
   <source>Dark text on a light background</source>
   <translation>浅色背景、深色文字</translation>
  </message>
  <message>
   <source>&amp;Light</source>
   <translation>浅色(&amp;L)</translation>
  </message>
  <message>
   <source>Light text on a dark background</source>
   <translation>深色背景、浅色文字</translation>
  </message>
  <message>
   <source>&amp;Dark</source>
   <translation>深色(&amp;D)</translation>
  </message>
  <message>
   <source>Search for the best split into this many stages</source>
   <translation>搜索这么多阶段的最佳切分</translation>
  </message>
  <message>
   <source>Split &amp;automatically</source>
   <translation>自动切分(&amp;A)</translation>
  </message>
  <message>
   <source>Begin a new stage at the first selected op</source>
   <translation>从第一个所选算子开始新阶段</translation>
  </message>
  <message>
   <source>&amp;Split before selection</source>
   <translation>在所选之前切分(&amp;B)</translation>
  </message>
  <message>
   <source>Join the stages on both sides of the chosen boundary</source>
   <translation>合并所选边界两侧的阶段</translation>
  </message>
  <message>
   <source>&amp;Remove boundary</source>
   <translation>删除边界(&amp;R)</translation>
  </message>
  <message>
   <source>Choose the boundary above</source>
   <translation>选择上方的边界</translation>
  </message>
  <message>
   <source>Choose &amp;previous boundary</source>
   <translation>选择上一个边界(&amp;P)</translation>
  </message>
  <message>
   <source>Choose the boundary below</source>
   <translation>选择下方的边界</translation>
  </message>
  <message>
   <source>Choose &amp;next boundary</source>
   <translation>选择下一个边界(&amp;N)</translation>
  </message>
  <message>
   <source>Give the chosen boundary's module above to the stage after it</source>
   <translation>把所选边界上方的模块交给后一阶段</translation>
  </message>
  <message>
   <source>Move boundary &amp;up by a module	Shift+Up</source>
   <translation>边界上移一个模块(&amp;U)	Shift+Up</translation>
  </message>
  <message>
   <source>Give the chosen boundary's module below to the stage before it</source>
   <translation>把所选边界下方的模块交给前一阶段</translation>
  </message>
  <message>
   <source>Move boundary &amp;down by a module	Shift+Down</source>
   <translation>边界下移一个模块(&amp;D)	Shift+Down</translation>
  </message>
  <message>
   <source>Where the slower of the two stages beside the chosen boundary is fastest</source>
   <translation>使所选边界两侧较慢的阶段最快的位置</translation>
  </message>
  <message>
   <source>Move boundary to the &amp;best place nearby	Ctrl+Down</source>
   <translation>把边界移到附近的最佳位置(&amp;B)	Ctrl+Down</translation>
  </message>
  <message>
   <source>Keep the chosen boundary where it is, whatever is searched for; without one, pin the selected ops to their stage</source>
   <translation>无论如何搜索，所选边界保持不动；没有边界时把所选算子固定在其阶段</translation>
  </message>
  <message>
   <source>&amp;Lock boundary</source>
   <translation>锁定边界(&amp;L)</translation>
  </message>
  <message>
   <source>Keep the selected ops in the stages that they are in</source>
   <translation>让所选算子留在当前阶段</translation>
  </message>
  <message>
   <source>P&amp;in to this stage</source>
   <translation>固定在此阶段(&amp;I)</translation>
  </message>
  <message>
   <source>Keep the selected ops in one stage</source>
   <translation>让所选算子留在同一阶段</translation>
  </message>
  <message>
   <source>&amp;Keep together</source>
   <translation>保持在一起(&amp;K)</translation>
  </message>
  <message>
   <source>No longer keep the selected ops in one stage</source>
   <translation>不再要求所选算子在同一阶段</translation>
  </message>
  <message>
   <source>Let &amp;apart</source>
   <translation>允许分开(&amp;P)</translation>
  </message>
  <message>
   <source>Never part the module that all selected ops are in</source>
   <translation>不切开包含所有所选算子的模块</translation>
  </message>
  <message>
   <source>Treat module as one &amp;block</source>
   <translation>把模块当作一个整体(&amp;B)</translation>
  </message>
  <message>
   <source>Never part a module of the class that all selected ops are in</source>
   <translation>不切开所选算子所属类的任何模块</translation>
  </message>
  <message>
   <source>Treat e&amp;very module of its class as a block</source>
   <translation>把该类的每个模块当作整体(&amp;V)</translation>
  </message>
  <message>
   <source>Never part a module that is so many levels below the model itself</source>
   <translation>不切开位于模型之下该层级的模块</translation>
  </message>
  <message>
   <source>Treat modules at a de&amp;pth as blocks…</source>
   <translation>把某一层级的模块当作整体(&amp;P)…</translation>
  </message>
  <message>
   <source>Both boundaries of the stage stay where they are, whatever is searched for</source>
   <translation>无论如何搜索，该阶段的两个边界保持不动</translation>
  </message>
  <message>
   <source>Keep the chosen sta&amp;ge as it is</source>
   <translation>保持所选阶段不变(&amp;G)</translation>
  </message>
  <message>
   <source>Who reads a result of the selected ops stays in the stage that makes it</source>
   <translation>读取所选算子结果的算子留在产生它的阶段</translation>
  </message>
  <message>
   <source>Never send its resul&amp;ts</source>
   <translation>从不发送其结果(&amp;T)</translation>
  </message>
  <message>
   <source>Move the selected ops, and what must go along, to the stage before</source>
   <translation>把所选算子及必须同行的内容移到前一阶段</translation>
  </message>
  <message>
   <source>Send to &amp;previous stage</source>
   <translation>移到前一阶段(&amp;P)</translation>
  </message>
  <message>
   <source>Move the selected ops, and what must go along, to the stage after</source>
   <translation>把所选算子及必须同行的内容移到后一阶段</translation>
  </message>
  <message>
   <source>Send to &amp;next stage</source>
   <translation>移到后一阶段(&amp;N)</translation>
  </message>
  <message>
   <source>What the plan is made for</source>
   <translation>方案的适用条件</translation>
  </message>
  <message>
   <source>Device and &amp;options</source>
   <translation>设备与选项(&amp;O)</translation>
  </message>
  <message>
   <source>Save the order in which the stages run: as trace events for Perfetto, or as a table for torch.distributed.pipelining</source>
   <translation>保存各阶段的运行顺序：Perfetto 的跟踪事件，或 torch.distributed.pipelining 的表格</translation>
  </message>
  <message>
   <source>Save sc&amp;hedule…</source>
   <translation>保存调度(&amp;H)…</translation>
  </message>
  <message>
   <source>Run a training step on this machine: spread, zeros, NaN of every tensor and gradient</source>
   <translation>在本机运行一个训练步骤：每个张量和梯度的分布、零值、NaN</translation>
  </message>
  <message>
   <source>&amp;Statistics of a real step…</source>
   <translation>真实步骤的统计(&amp;S)…</translation>
  </message>
  <message>
   <source>Time every op on this machine, and plan with that</source>
   <translation>在本机测量每个算子的时间并据此规划</translation>
  </message>
  <message>
   <source>&amp;Measure times</source>
   <translation>测量时间(&amp;M)</translation>
  </message>
  <message>
   <source>Plan with the times of a CSV, a JSON or a torch.profiler trace</source>
   <translation>用 CSV、JSON 或 torch.profiler 跟踪中的时间规划</translation>
  </message>
  <message>
   <source>Read times from a &amp;file…</source>
   <translation>从文件读取时间(&amp;F)…</translation>
  </message>
  <message>
   <source>Plan with the times that the device's figures give</source>
   <translation>用由设备参数得出的时间规划</translation>
  </message>
  <message>
   <source>&amp;Estimate times again</source>
   <translation>重新估算时间(&amp;E)</translation>
  </message>
  <message>
   <source>Say what operators compute that are not known here</source>
   <translation>说明此处未知的算子计算什么</translation>
  </message>
  <message>
   <source>Costs of unknown &amp;operators…</source>
   <translation>未知算子的开销(&amp;O)…</translation>
  </message>
  <message>
   <source>The largest batch whose step fits on the device</source>
   <translation>单步能放入设备的最大批次</translation>
  </message>
  <message>
   <source>Find the &amp;largest batch</source>
   <translation>寻找最大批次(&amp;L)</translation>
  </message>
  <message>
   <source>The best plan for every number of stages beside each other</source>
   <translation>并列各阶段数的最佳方案</translation>
  </message>
  <message>
   <source>&amp;Compare 1 to 16 stages</source>
   <translation>比较 1 到 16 个阶段(&amp;C)</translation>
  </message>
  <message>
   <source>Plans of as many stages that need less memory or send less</source>
   <translation>阶段数相同但内存或通信更少的方案</translation>
  </message>
  <message>
   <source>Find &amp;trade-offs</source>
   <translation>寻找折中方案(&amp;T)</translation>
  </message>
  <message>
   <source>Why the slowest stage is slow, and what would help</source>
   <translation>最慢阶段为何慢，以及如何改善</translation>
  </message>
  <message>
   <source>&amp;Why no faster</source>
   <translation>为何不能更快(&amp;W)</translation>
  </message>
  <message>
   <source>Put all panels back where they were at first</source>
   <translation>把所有面板放回初始位置</translation>
  </message>
  <message>
   <source>&amp;Reset layout</source>
   <translation>重置布局(&amp;R)</translation>
  </message>
  <message>
   <source>Every key and what it does</source>
   <translation>所有按键及其作用</translation>
  </message>
  <message>
   <source>&amp;Keys</source>
   <translation>快捷键(&amp;K)</translation>
  </message>
  <message>
   <source>Version and licence</source>
   <translation>版本与许可</translation>
  </message>
  <message>
   <source>&amp;About Stagecraft</source>
   <translation>关于 Stagecraft(&amp;A)</translation>
  </message>
  <message>
   <source>The version of Qt</source>
   <translation>Qt 的版本</translation>
  </message>
  <message>
   <source>About &amp;Qt</source>
   <translation>关于 Qt(&amp;Q)</translation>
  </message>
  <message>
   <source>&amp;File</source>
   <translation>文件(&amp;F)</translation>
  </message>
  <message>
   <source>Open &amp;recent</source>
   <translation>最近打开(&amp;R)</translation>
  </message>
  <message>
   <source>&amp;Edit</source>
   <translation>编辑(&amp;E)</translation>
  </message>
  <message>
   <source>&amp;View</source>
   <translation>视图(&amp;V)</translation>
  </message>
  <message>
   <source>Colour b&amp;y</source>
   <translation>着色依据(&amp;Y)</translation>
  </message>
  <message>
   <source>&amp;Theme</source>
   <translation>主题(&amp;T)</translation>
  </message>
  <message>
   <source>&amp;Panels</source>
   <translation>面板(&amp;P)</translation>
  </message>
  <message>
   <source>&amp;Stages</source>
   <translation>阶段(&amp;S)</translation>
  </message>
  <message>
   <source>&amp;Boundary</source>
   <translation>边界(&amp;B)</translation>
  </message>
  <message>
   <source>Se&amp;lected ops</source>
   <translation>所选算子(&amp;L)</translation>
  </message>
  <message>
   <source>Bloc&amp;ks</source>
   <translation>整块(&amp;K)</translation>
  </message>
  <message>
   <source>&amp;Analyse</source>
   <translation>分析(&amp;A)</translation>
  </message>
  <message>
   <source>&amp;Compare</source>
   <translation>比较(&amp;C)</translation>
  </message>
  <message>
   <source>&amp;Window</source>
   <translation>窗口(&amp;W)</translation>
  </message>
  <message>
   <source>&amp;Help</source>
   <translation>帮助(&amp;H)</translation>
  </message>
  <message>
   <source>Save the plan first, and its stages are measured, too.</source>
   <translation>先保存计划，其各阶段也会被测量。</translation>
  </message>
  <message>
   <source>The command measures the stages of the plan as it was saved: save it first.</source>
   <translation>该命令测量已保存计划的各阶段：请先保存。</translation>
  </message>
  <message>
   <source>Give --import the Python module that brings the operators %1::…</source>
   <translation>请在 --import 中给出提供算子 %1::… 的 Python 模块</translation>
  </message>
  <message>
   <source>More</source>
   <translation>更多</translation>
  </message>
  <message>
   <source>What has no room in the bar</source>
   <translation>工具栏放不下的内容</translation>
  </message>
  <message>
   <source>More of the bar</source>
   <translation>更多工具</translation>
  </message>
  <message>
   <source>&amp;Keep this plan as B</source>
   <translation>把此方案保留为 B(&amp;K)</translation>
  </message>
  <message>
   <source>Compare all that follows with the plan as it is now</source>
   <translation>之后的一切都与当前方案比较</translation>
  </message>
  <message>
   <source>With its &amp;best cuts</source>
   <translation>与其最佳切分(&amp;B)</translation>
  </message>
  <message>
   <source>Find the best cuts for what this plan is made for and keep that plan as B</source>
   <translation>在此方案的设定下寻找最佳切分，并把该方案保留为 B</translation>
  </message>
  <message>
   <source>Same c&amp;uts as this plan</source>
   <translation>与此方案相同的切分(&amp;U)</translation>
  </message>
  <message>
   <source>The plans below cut where this one does; otherwise each cuts where it is best</source>
   <translation>下列方案沿用当前切分；否则各自取最佳切分</translation>
  </message>
  <message>
   <source>With another s&amp;chedule</source>
   <translation>换用其他调度(&amp;C)</translation>
  </message>
  <message>
   <source>With another &amp;device</source>
   <translation>换用其他设备(&amp;D)</translation>
  </message>
  <message>
   <source>With another &amp;precision</source>
   <translation>换用其他精度(&amp;P)</translation>
  </message>
  <message>
   <source>With a plan &amp;file…</source>
   <translation>与方案文件(&amp;F)…</translation>
  </message>
  <message>
   <source>Compare with a plan that was saved</source>
   <translation>与已保存的方案比较</translation>
  </message>
  <message>
   <source>S&amp;wap A and B</source>
   <translation>交换 A 与 B(&amp;W)</translation>
  </message>
  <message>
   <source>B becomes the plan, in one step of undo, and the plan B</source>
   <translation>B 成为当前方案（可一步撤销），当前方案成为 B</translation>
  </message>
  <message>
   <source>Code of &amp;A and B…</source>
   <translation>A 与 B 的代码(&amp;A)…</translation>
  </message>
  <message>
   <source>How the code of the stages differs</source>
   <translation>各阶段代码的差异</translation>
  </message>
  <message>
   <source>D&amp;rop B</source>
   <translation>放弃 B(&amp;R)</translation>
  </message>
  <message>
   <source>Compare no longer</source>
   <translation>不再比较</translation>
  </message>
  <message>
   <source>&amp;History of plans</source>
   <translation>方案历史(&amp;H)</translation>
  </message>
  <message>
   <source>All plans that were tried, to go back to and to compare with</source>
   <translation>所有尝试过的方案，可返回或比较</translation>
  </message>
  <message>
   <source>Find the plan under %1 and keep it as B</source>
   <translation>寻找 %1 下的方案并保留为 B</translation>
  </message>
  <message>
   <source>Find the plan for %1 and keep it as B</source>
   <translation>寻找 %1 的方案并保留为 B</translation>
  </message>
  <message>
   <source>The plan has this one already</source>
   <translation>方案已采用此项</translation>
  </message>
  <message>
   <source>%1, the same cuts</source>
   <translation>%1，相同切分</translation>
  </message>
  <message>
   <source>Best cuts</source>
   <translation>最佳切分</translation>
  </message>
  <message>
   <source>Compare with a plan</source>
   <translation>与方案比较</translation>
  </message>
  <message>
   <source>Plans (*.stagecraft);;All files (*)</source>
   <translation>方案 (*.stagecraft);;所有文件 (*)</translation>
  </message>
  <message>
   <source>Code of A and B</source>
   <translation>A 与 B 的代码</translation>
  </message>
  <message>
   <source>A device is left out: %1</source>
   <translation>忽略了一个设备：%1</translation>
  </message>
  <message>
   <source>Figures of the device</source>
   <translation>设备参数</translation>
  </message>
  <message>
   <source> (copy)</source>
   <translation>（副本）</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>模型</translation>
  </message>
  <message>
   <source>Stages</source>
   <translation>阶段</translation>
  </message>
  <message>
   <source>Plan</source>
   <translation>方案</translation>
  </message>
  <message>
   <source>Memory</source>
   <translation>内存</translation>
  </message>
  <message>
   <source>Code</source>
   <translation>代码</translation>
  </message>
  <message>
   <source>Details</source>
   <translation>详情</translation>
  </message>
  <message>
   <source>Charts</source>
   <translation>图表</translation>
  </message>
  <message>
   <source>Schedule</source>
   <translation>调度</translation>
  </message>
  <message>
   <source>Map</source>
   <translation>分布图</translation>
  </message>
  <message>
   <source>Step memory</source>
   <translation>步骤内存</translation>
  </message>
  <message>
   <source>Curve</source>
   <translation>曲线</translation>
  </message>
  <message>
   <source>Trade-offs</source>
   <translation>折中</translation>
  </message>
  <message>
   <source>Operators</source>
   <translation>算子</translation>
  </message>
  <message>
   <source>History</source>
   <translation>历史</translation>
  </message>
  <message>
   <source>Show or hide the panel “%1”</source>
   <translation>显示或隐藏面板“%1”</translation>
  </message>
  <message>
   <source>Double click to take the panel out of the window</source>
   <translation>双击把面板移出窗口</translation>
  </message>
  <message>
   <source>Panels</source>
   <translation>面板</translation>
  </message>
  <message>
   <source>Looking into what was dropped</source>
   <translation>正在查看拖入的文件</translation>
  </message>
  <message>
   <source>Open figures of yo&amp;ur own…</source>
   <translation>打开自己的数据(&amp;U)…</translation>
  </message>
  <message>
   <source>Colours and figures by op or module, out of a file of another program</source>
   <translation>按算子或模块的颜色和数据，来自其他程序的文件</translation>
  </message>
  <message>
   <source>Leave own figures out</source>
   <translation>不显示自己的数据</translation>
  </message>
  <message>
   <source>Shows the model without the figures of your own</source>
   <translation>显示模型而不显示自己的数据</translation>
  </message>
  <message>
   <source>Export grap&amp;h…</source>
   <translation>导出计算图(&amp;H)…</translation>
  </message>
  <message>
   <source>The graph with its figures for other programs: GraphML, JSON, DOT, CSV</source>
   <translation>供其他程序使用的计算图及其数据：GraphML、JSON、DOT、CSV</translation>
  </message>
  <message>
   <source>Reading figures</source>
   <translation>正在读取数据</translation>
  </message>
  <message>
   <source>Looking for the loss</source>
   <translation>正在查找损失</translation>
  </message>
  <message>
   <source>Measuring</source>
   <translation>正在测量</translation>
  </message>
  <message>
   <source>Writing the stages</source>
   <translation>正在写出各阶段</translation>
  </message>
  <message>
   <source>Comparing with the whole model</source>
   <translation>正在与完整模型比较</translation>
  </message>
  <message>
   <source>Comparing the stages with the whole model</source>
   <translation>正在把各阶段与完整模型比较</translation>
  </message>
  <message>
   <source>Reload</source>
   <translation>重新载入</translation>
  </message>
  <message>
   <source>%1 was not written: the name has to end in %2.</source>
   <translation>未写入 %1：文件名必须以 %2 结尾。</translation>
  </message>
  <message>
   <source> or </source>
   <translation> 或 </translation>
  </message>
  <message>
   <source>Models and plans (*.pt2 *.pt *.stagecraft);;All files (*)</source>
   <translation>模型和方案 (*.pt2 *.pt *.stagecraft);;所有文件 (*)</translation>
  </message>
  <message>
   <source>Read times of ops</source>
   <translation>读取算子时间</translation>
  </message>
  <message>
   <source>Times and traces (*.csv *.json *.gz);;All files (*)</source>
   <translation>时间和跟踪 (*.csv *.json *.gz);;所有文件 (*)</translation>
  </message>
  <message>
   <source>The model's weights</source>
   <translation>模型权重</translation>
  </message>
  <message>
   <source>Weights (*.safetensors *.json *.pt *.pth *.bin);;All files (*)</source>
   <translation>权重 (*.safetensors *.json *.pt *.pth *.bin);;所有文件 (*)</translation>
  </message>
  <message>
   <source>A step that ran: the files of all ranks</source>
   <translation>已运行的步骤：所有 rank 的文件</translation>
  </message>
  <message>
   <source>Steps and traces (*.json *.gz);;All files (*)</source>
   <translation>步骤和跟踪 (*.json *.gz);;所有文件 (*)</translation>
  </message>
  <message>
   <source>%1 is open here, and would be written over; choose another name.</source>
   <translation>%1 已在此打开，会被覆盖；请选择其他名称。</translation>
  </message>
  <message>
   <source>Save the plan</source>
   <translation>保存方案</translation>
  </message>
  <message>
   <source>Plans (*.stagecraft)</source>
   <translation>方案 (*.stagecraft)</translation>
  </message>
  <message>
   <source>Unsaved plan</source>
   <translation>未保存的方案</translation>
  </message>
  <message>
   <source>Save the plan of “%1”?</source>
   <translation>保存“%1”的方案？</translation>
  </message>
  <message>
   <source>Save the changes to “%1”?</source>
   <translation>保存对“%1”的更改？</translation>
  </message>
  <message>
   <source>What is not saved is offered again when the file is opened next.</source>
   <translation>未保存的内容会在下次打开该文件时再次提供。</translation>
  </message>
  <message>
   <source>Save the drawing</source>
   <translation>保存图形</translation>
  </message>
  <message>
   <source>Save the report</source>
   <translation>保存报告</translation>
  </message>
  <message>
   <source>Pages (*.html)</source>
   <translation>网页 (*.html)</translation>
  </message>
  <message>
   <source>Figures of your own</source>
   <translation>自己的数据</translation>
  </message>
  <message>
   <source>Figures (*.json);;All files (*)</source>
   <translation>数据 (*.json);;所有文件 (*)</translation>
  </message>
  <message>
   <source>Save the graph</source>
   <translation>保存计算图</translation>
  </message>
  <message>
   <source>GraphML, for networkx, yEd and Gephi (*.graphml)</source>
   <translation>GraphML，用于 networkx、yEd 和 Gephi (*.graphml)</translation>
  </message>
  <message>
   <source>Graph as JSON (*.json)</source>
   <translation>JSON 计算图 (*.json)</translation>
  </message>
  <message>
   <source>DOT, for Graphviz (*.dot)</source>
   <translation>DOT，用于 Graphviz (*.dot)</translation>
  </message>
  <message>
   <source>Table of operators (*.csv)</source>
   <translation>算子表 (*.csv)</translation>
  </message>
  <message>
   <source>Table of edges (*.csv)</source>
   <translation>边表 (*.csv)</translation>
  </message>
  <message>
   <source>Save the schedule</source>
   <translation>保存调度</translation>
  </message>
  <message>
   <source>Trace events for Perfetto (*.json)</source>
   <translation>Perfetto 跟踪事件 (*.json)</translation>
  </message>
  <message>
   <source>Tables of torch.distributed.pipelining (*.csv)</source>
   <translation>torch.distributed.pipelining 表格 (*.csv)</translation>
  </message>
  <message>
   <source>Tables with sends, for PyTorch 2.6 to 2.14 (*.csv)</source>
   <translation>含发送操作的表格，用于 PyTorch 2.6 至 2.14 (*.csv)</translation>
  </message>
  <message>
   <source>Tables with sends, for PyTorch 2.15 and later (*.csv)</source>
   <translation>含发送操作的表格，用于 PyTorch 2.15 及以后 (*.csv)</translation>
  </message>
  <message>
   <source>Did you mean “%1”?</source>
   <translation>您是指“%1”吗？</translation>
  </message>
  <message>
   <source>No op has “%1”. Did you mean “%2”?</source>
   <translation>没有算子含有“%1”。您是指“%2”吗？</translation>
  </message>
  <message>
   <source>%1 parameters, %2 ops</source>
   <translation>%1 个参数，%2 个算子</translation>
  </message>
  <message>
   <source>&amp;New model…</source>
   <translation>新建模型(&amp;N)…</translation>
  </message>
  <message>
   <source>&lt;h3&gt;Form&lt;/h3&gt;&lt;p&gt;The sizes of a model that was made from a form.&lt;/p&gt;&lt;p&gt;Change one: the model is made anew, and its plan with it.&lt;/p&gt;</source>
   <translation>&lt;h3&gt;模型形式&lt;/h3&gt;&lt;p&gt;由形式生成的模型的各项尺寸。&lt;/p&gt;&lt;p&gt;修改其一：模型及其方案会重新生成。&lt;/p&gt;</translation>
  </message>
  <message>
   <source>Form</source>
   <translation>模型形式</translation>
  </message>
  <message>
   <source>Making the model</source>
   <translation>正在生成模型</translation>
  </message>
  <message>
   <source>There is no plan with its costs yet.</source>
   <translation>还没有带开销的方案。</translation>
  </message>
  <message>
   <source>Looking for a plan</source>
   <translation>正在寻找方案</translation>
  </message>
  <message>
   <source>Take the plan for %1</source>
   <translation>采用 %1 的方案</translation>
  </message>
  <message>
   <source>&amp;This panel</source>
   <translation>此面板(&amp;T)</translation>
  </message>
  <message>
   <source>What the panel that has the keyboard is for</source>
   <translation>当前面板的用途</translation>
  </message>
  <message>
   <source>T&amp;our</source>
   <translation>导览(&amp;O)</translation>
  </message>
  <message>
   <source>Three steps through the window</source>
   <translation>三步了解窗口</translation>
  </message>
  <message>
   <source>Pr&amp;eferences…</source>
   <translation>首选项(&amp;E)…</translation>
  </message>
  <message>
   <source>Theme, language, text size, what new plans are made for</source>
   <translation>主题、语言、文字大小、新方案的条件</translation>
  </message>
  <message>
   <source>Help</source>
   <translation>帮助</translation>
  </message>
  <message>
   <source>What this panel is for</source>
   <translation>此面板的用途</translation>
  </message>
  <message>
   <source>All keys (?)</source>
   <translation>所有快捷键 (?)</translation>
  </message>
  <message>
   <source>The tour begins when a model is open: choose one of the examples, for a start.</source>
   <translation>打开模型后导览开始：可先选择一个示例。</translation>
  </message>
  <message>
   <source>The model, and where it is cut</source>
   <translation>模型及其切分位置</translation>
  </message>
  <message>
   <source>Boxes are modules: a double click opens one. Bands are stages, and the lines between them boundaries, which the program has placed where no better place is known. Drag one: all figures follow.</source>
   <translation>方框是模块：双击可展开。色带是阶段，其间的线是边界，程序已把它们放在已知的最佳位置。拖动边界，所有数据随之更新。</translation>
  </message>
  <message>
   <source>What each stage takes</source>
   <translation>每个阶段的开销</translation>
  </message>
  <message>
   <source>Time and memory of each stage, and below how far this plan can be from the best. Device, schedule and memory limit are chosen under Plan, beside it.</source>
   <translation>每个阶段的时间和内存，下方是此方案与最优方案的最大差距。设备、调度和内存上限在旁边的“方案”中选择。</translation>
  </message>
  <message>
   <source>Stages that run</source>
   <translation>可运行的阶段</translation>
  </message>
  <message>
   <source>Writes the stages as PyTorch modules, with what trains them under torchrun. F1 explains the panel that has the keyboard; Ctrl+K finds every command.</source>
   <translation>把各阶段写成 PyTorch 模块，并附带用 torchrun 训练的程序。F1 说明当前面板；Ctrl+K 查找所有命令。</translation>
  </message>
  <message>
   <source>&amp;Import from Python…</source>
   <translation>从 Python 导入(&amp;I)…</translation>
  </message>
  <message>
   <source>Make a model of one's own code, or of a name of transformers, timm or torchvision</source>
   <translation>用自己的代码，或 transformers、timm、torchvision 中的名称生成模型</translation>
  </message>
  <message>
   <source>Asking Python</source>
   <translation>正在询问 Python</translation>
  </message>
  <message>
   <source>Starting Python</source>
   <translation>正在启动 Python</translation>
  </message>
  <message>
   <source>Importing</source>
   <translation>正在导入</translation>
  </message>
  <message>
   <source>Graph and charts</source>
   <translation>图与图表</translation>
  </message>
  <message>
   <source>Scroll</source>
   <translation>滚动</translation>
  </message>
  <message>
   <source>wheel, Shift+wheel, middle drag</source>
   <translation>滚轮、Shift+滚轮、中键拖动</translation>
  </message>
  <message>
   <source>Zoom at the pointer</source>
   <translation>在指针处缩放</translation>
  </message>
  <message>
   <source>Ctrl+wheel</source>
   <translation>Ctrl+滚轮</translation>
  </message>
  <message>
   <source>Zoom to an area</source>
   <translation>缩放到区域</translation>
  </message>
  <message>
   <source>Ctrl+drag</source>
   <translation>Ctrl+拖动</translation>
  </message>
  <message>
   <source>Open or close a box</source>
   <translation>展开或折叠方框</translation>
  </message>
  <message>
   <source>double click, Enter; Alt: all below</source>
   <translation>双击、Enter；Alt：内部全部</translation>
  </message>
  <message>
   <source>The box around</source>
   <translation>外层方框</translation>
  </message>
  <message>
   <source>Backspace</source>
   <translation>Backspace</translation>
  </message>
  <message>
   <source>Walk along edges</source>
   <translation>沿边移动</translation>
  </message>
  <message>
   <source>arrows</source>
   <translation>方向键</translation>
  </message>
  <message>
   <source>From edge to edge of an op; then Up, Down to its ends</source>
   <translation>在算子的边之间切换；再用上、下到其两端</translation>
  </message>
  <message>
   <source>N, Shift+N</source>
   <translation>N、Shift+N</translation>
  </message>
  <message>
   <source>The op before, after</source>
   <translation>前一个、后一个算子</translation>
  </message>
  <message>
   <source>To the top, to the bottom</source>
   <translation>到顶部、到底部</translation>
  </message>
  <message>
   <source>Home, End</source>
   <translation>Home、End</translation>
  </message>
  <message>
   <source>Begin a stage here</source>
   <translation>在此开始新阶段</translation>
  </message>
  <message>
   <source>double click beside the graph</source>
   <translation>在图旁双击</translation>
  </message>
  <message>
   <source>Select an area</source>
   <translation>选择区域</translation>
  </message>
  <message>
   <source>Shift+drag; in charts: drag</source>
   <translation>Shift+拖动；图表中：拖动</translation>
  </message>
  <message>
   <source>Add another range to what is selected</source>
   <translation>将另一范围加入选择</translation>
  </message>
  <message>
   <source>Shift+drag in charts</source>
   <translation>图表中 Shift+拖动</translation>
  </message>
  <message>
   <source>Send ops or a box to another stage</source>
   <translation>把算子或方框移到另一阶段</translation>
  </message>
  <message>
   <source>drag them over the boundary</source>
   <translation>拖过边界</translation>
  </message>
  <message>
   <source>Move a boundary</source>
   <translation>移动边界</translation>
  </message>
  <message>
   <source>drag it; Up, Down in the graph, Left, Right in charts</source>
   <translation>拖动；图中用上、下，图表中用左、右</translation>
  </message>
  <message>
   <source>… by a module, to the best place nearby</source>
   <translation>……按模块，或到附近最佳位置</translation>
  </message>
  <message>
   <source>Shift, Ctrl with the arrows</source>
   <translation>Shift、Ctrl 加方向键</translation>
  </message>
  <message>
   <source>… without being drawn to good places</source>
   <translation>……不被吸附到好位置</translation>
  </message>
  <message>
   <source>Alt while dragging</source>
   <translation>拖动时按 Alt</translation>
  </message>
  <message>
   <source>Give up a drag</source>
   <translation>放弃拖动</translation>
  </message>
  <message>
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
  <message>
   <source>Select nothing; then end the job that goes on</source>
   <translation>取消选择；再按则结束正在进行的任务</translation>
  </message>
  <message>
   <source>Move a boundary in the table of stages</source>
   <translation>在阶段表中移动边界</translation>
  </message>
  <message>
   <source>Alt+Up, Alt+Down</source>
   <translation>Alt+上、Alt+下</translation>
  </message>
  <message>
   <source>Only the rows of a table with some words</source>
   <translation>只显示表中含某些词的行</translation>
  </message>
  <message>
   <source>/ in the table</source>
   <translation>在表中按 /</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>快捷键</translation>
  </message>
  <message>
   <source>Keys and what they do</source>
   <translation>快捷键及其作用</translation>
  </message>
  <message>
   <source>As the desktop</source>
   <translation>跟随系统</translation>
  </message>
  <message>
   <source>Number of stages</source>
   <translation>阶段数</translation>
  </message>
  <message>
   <source>How many stages to split the model into</source>
   <translation>把模型切分成多少个阶段</translation>
  </message>
  <message>
   <source>Detail</source>
   <translation>细节</translation>
  </message>
  <message>
   <source>How many boxes are open, the most expensive first</source>
   <translation>展开多少方框，开销最大的优先</translation>
  </message>
  <message>
   <source>Colour by</source>
   <translation>着色依据</translation>
  </message>
  <message>
   <source>More detail</source>
   <translation>更多细节</translation>
  </message>
  <message>
   <source>Less detail</source>
   <translation>更少细节</translation>
  </message>
  <message>
   <source>Main bar</source>
   <translation>主工具栏</translation>
  </message>
  <message>
   <source>Stagecraft</source>
   <translation>Stagecraft</translation>
  </message>
  <message>
   <source>Graph</source>
   <translation>图</translation>
  </message>
  <message>
   <source>Saved %1</source>
   <translation>已保存 %1</translation>
  </message>
  <message>
   <source>No better split was found; this one is %1.</source>
   <translation>没有找到更好的切分；当前为：%1。</translation>
  </message>
  <message>
   <source>Open with other inputs…</source>
   <translation>用其他输入打开…</translation>
  </message>
  <message>
   <source>Open the model again with other inputs of its script, or another program of its file</source>
   <translation>用脚本的其他输入或文件中的其他程序重新打开模型</translation>
  </message>
  <message>
   <source>Open another program of the file…</source>
   <translation>打开文件中的其他程序…</translation>
  </message>
  <message>
   <source>on</source>
   <translation>开</translation>
  </message>
  <message>
   <source>off</source>
   <translation>关</translation>
  </message>
  <message>
   <source>Go to</source>
   <translation>转到</translation>
  </message>
  <message>
   <source>Module</source>
   <translation>模块</translation>
  </message>
  <message>
   <source>Setting, as it is now</source>
   <translation>设置，当前值</translation>
  </message>
  <message>
   <source>Setting</source>
   <translation>设置</translation>
  </message>
  <message>
   <source>The model as it runs, from top to bottom: a box is a module or an op, a band a stage, the line between two bands a boundary.</source>
   <translation>模型按运行顺序自上而下：方框是模块或算子，色带是阶段，色带之间的线是边界。</translation>
  </message>
  <message>
   <source>Double click a box to open or close it. Drag a boundary to move it, or ops over it to send them to another stage. The wheel scrolls, Ctrl+wheel zooms, 0 shows all. A right click offers what can be done to what is under it.</source>
   <translation>双击展开或折叠方框。拖动可移动边界，把算子拖过边界可移到另一阶段。滚轮滚动，Ctrl+滚轮缩放，0 显示全部。右键给出可对所指内容执行的操作。</translation>
  </message>
  <message>
   <source>The modules of the model as a tree, with their time, memory and stages.</source>
   <translation>以树形显示模型的模块及其时间、内存和阶段。</translation>
  </message>
  <message>
   <source>Click a title to sort: the most expensive first. What is selected is shown in the graph; a right click sends it to another stage or keeps it together.</source>
   <translation>点击标题排序：开销最大的在前。所选内容会显示在图中；右键可移到另一阶段或保持在一起。</translation>
  </message>
  <message>
   <source>What each stage takes: its time, its memory against what the device has, what it sends. Below stand the step of all and how far the plan can be from the best.</source>
   <translation>每个阶段的开销：时间、相对设备容量的内存、发送量。下方是整步时间以及方案与最优的最大差距。</translation>
  </message>
  <message>
   <source>Alt+Up and Alt+Down move the boundary below the chosen stage; a double click shows the stage's code.</source>
   <translation>Alt+上、Alt+下移动所选阶段下方的边界；双击显示该阶段的代码。</translation>
  </message>
  <message>
   <source>What the plan is made for: device, stages, microbatches, schedule, precision, memory limit, recomputation.</source>
   <translation>方案的条件：设备、阶段、微批次、调度、精度、内存上限、重计算。</translation>
  </message>
  <message>
   <source>Figures follow each change; Ctrl+Enter searches for the best split. Each choice is one step of undo. All of them hold for the model that is opened next, but the memory limit, which is of this one.</source>
   <translation>数字随每次更改更新；Ctrl+Enter 搜索最佳切分。每个选择是一个撤销步骤。所有选择对接下来打开的模型同样有效，只有内存上限仅属于当前模型。</translation>
  </message>
  <message>
   <source>Memory against time</source>
   <translation>内存与时间</translation>
  </message>
  <message>
   <source>What recomputation would cost for a smaller limit of memory.</source>
   <translation>在更小的内存上限下重计算的代价。</translation>
  </message>
  <message>
   <source>Figures follow while the slider is moved; letting go is one step of undo.</source>
   <translation>移动滑块时数据随之更新；松开即为一步可撤销操作。</translation>
  </message>
  <message>
   <source>Constraints</source>
   <translation>约束</translation>
  </message>
  <message>
   <source>What holds whatever is searched for: pins, ops kept together, locks, limits.</source>
   <translation>搜索时始终成立的条件：固定、保持在一起、锁定、上限。</translation>
  </message>
  <message>
   <source>Delete what should hold no longer.</source>
   <translation>删除不再需要的条件。</translation>
  </message>
  <message>
   <source>Why no faster</source>
   <translation>为何不能更快</translation>
  </message>
  <message>
   <source>Why the slowest stage is slow, what no plan can beat, and the changes that would help with what each would gain.</source>
   <translation>最慢阶段为何慢、任何方案都无法超越的界限，以及各项改动能带来的收益。</translation>
  </message>
  <message>
   <source>Apply a change by its button; undo takes it back.</source>
   <translation>用按钮应用改动；撤销可收回。</translation>
  </message>
  <message>
   <source>The Python code of a stage as it is exported, each line with what it costs.</source>
   <translation>阶段导出时的 Python 代码，每行附其开销。</translation>
  </message>
  <message>
   <source>A click on a line selects its op in all panels. The code follows each move of a boundary.</source>
   <translation>点击一行会在所有面板中选中其算子。代码随边界移动而更新。</translation>
  </message>
  <message>
   <source>All that is known of what is selected: shapes, costs and where they come from, what it reads and gives, its line in the model's source.</source>
   <translation>所选内容的全部信息：形状、开销及其来源、读取与输出、在模型源码中的行。</translation>
  </message>
  <message>
   <source>Follow the links from op to op; Alt+Left goes back.</source>
   <translation>沿链接在算子之间移动；Alt+左返回。</translation>
  </message>
  <message>
   <source>Memory, time, and the bytes that a boundary at each place would send, along the order in which ops run.</source>
   <translation>沿算子运行顺序的内存、时间，以及在每处设边界需发送的字节数。</translation>
  </message>
  <message>
   <source>Drag a boundary: it is drawn to places that send little. Drag elsewhere to select ops; the wheel moves along, Ctrl+wheel zooms.</source>
   <translation>拖动边界：会吸附到发送量小的位置。在别处拖动可选择算子；滚轮平移，Ctrl+滚轮缩放。</translation>
  </message>
  <message>
   <source>A training step on all devices as a timeline: forward, backward, waiting.</source>
   <translation>所有设备上一个训练步骤的时间线：前向、反向、等待。</translation>
  </message>
  <message>
   <source>Point at a slot for what it is. Ctrl+wheel zooms. File &gt; Open measured step lays a real run over it.</source>
   <translation>指向时间段查看其内容。Ctrl+滚轮缩放。“文件 &gt; 打开实测步骤”可叠加真实运行。</translation>
  </message>
  <message>
   <source>What the memory of each device is made of at its peak, and what is alive then.</source>
   <translation>每台设备峰值内存的构成及当时存活的内容。</translation>
  </message>
  <message>
   <source>A click on a tensor selects the op that makes it; Find largest batch says how much more would fit.</source>
   <translation>点击张量会选中产生它的算子；“寻找最大批次”给出还能放下多少。</translation>
  </message>
  <message>
   <source>The best plan for every number of stages, beside each other.</source>
   <translation>各阶段数的最佳方案并列。</translation>
  </message>
  <message>
   <source>Ask for it by its button; a double click on a row takes that plan.</source>
   <translation>用按钮计算；双击某行采用该方案。</translation>
  </message>
  <message>
   <source>Plans of as many stages that give up time for memory or for bytes sent.</source>
   <translation>阶段数相同、用时间换取内存或通信量的方案。</translation>
  </message>
  <message>
   <source>Ask for them by the button; a double click on a row takes that plan.</source>
   <translation>用按钮计算；双击某行采用该方案。</translation>
  </message>
  <message>
   <source>Every op in a table with what it costs, or those that are looked for.</source>
   <translation>表格列出每个算子或所查找算子的开销。</translation>
  </message>
  <message>
   <source>Click a title to sort, filter by the field above, select several for their sums; copy them or save them as a table by a right click.</source>
   <translation>点击标题排序，用上方字段筛选，多选可求和；右键可复制或保存为表格。</translation>
  </message>
  <message>
   <source>Parameters, memory or time of the model by module: the larger the area, the more.</source>
   <translation>按模块显示模型的参数、内存或时间：面积越大越多。</translation>
  </message>
  <message>
   <source>A click selects the module in all panels.</source>
   <translation>点击会在所有面板中选中该模块。</translation>
  </message>
  <message>
   <source>The memory of every stage over a whole training step, by what it holds.</source>
   <translation>每个阶段在整个训练步骤中的内存，按内容分类。</translation>
  </message>
  <message>
   <source>Point at a moment for what is alive then; All stages over the step has a curve for each stage, in the order of the schedule.</source>
   <translation>指向某一时刻查看当时存活的内容；“整个步骤中的所有阶段”按调度顺序为每个阶段绘制一条曲线。</translation>
  </message>
  <message>
   <source>Every plan that was tried, with its figures and how it arose.</source>
   <translation>所有尝试过的方案及其数据和来历。</translation>
  </message>
  <message>
   <source>Return to any of them in one step of undo, keep it by a star, or compare with it as B.</source>
   <translation>可一步撤销地返回任一方案，用星标保留，或作为 B 比较。</translation>
  </message>
  <message>
   <source>Looking for files</source>
   <translation>正在查找文件</translation>
  </message>
  <message>
   <source>Recompute the selection</source>
   <translation>重计算所选</translation>
  </message>
  <message>
   <source>Keep no activations of what is selected: backward runs it again</source>
   <translation>不保留所选内容的激活：反向时重新运行</translation>
  </message>
  <message>
   <source>Recompute every module of its class</source>
   <translation>重计算该类的每个模块</translation>
  </message>
  <message>
   <source>Keep no activations of any module of the class that is selected</source>
   <translation>不保留所选类的任何模块的激活</translation>
  </message>
  <message>
   <source>Never recompute the selection</source>
   <translation>从不重计算所选</translation>
  </message>
  <message>
   <source>Keep what backward needs of what is selected instead of running it again</source>
   <translation>保留反向所需的所选内容，而不重新运行</translation>
  </message>
  <message>
   <source>Recompute %1</source>
   <translation>重计算 %1</translation>
  </message>
  <message>
   <source>Never recompute %1</source>
   <translation>从不重计算 %1</translation>
  </message>
  <message>
   <source>every %1</source>
   <translation>每个 %1</translation>
  </message>
  <message numerus="yes">
   <source>%n op(s)</source>
   <translation>
    <numerusform>%n 个算子</numerusform>
   </translation>
  </message>
  <message>
   <source>Re&amp;compute %1</source>
   <translation>重计算 %1(&amp;C)</translation>
  </message>
  <message>
   <source>Re&amp;compute selection</source>
   <translation>重计算所选(&amp;C)</translation>
  </message>
  <message>
   <source>Recomp&amp;ute %1</source>
   <translation>重计算 %1(&amp;U)</translation>
  </message>
  <message>
   <source>Recomp&amp;ute every module of its class</source>
   <translation>重计算该类的每个模块(&amp;U)</translation>
  </message>
  <message>
   <source>Ne&amp;ver recompute %1</source>
   <translation>从不重计算 %1(&amp;V)</translation>
  </message>
  <message>
   <source>Ne&amp;ver recompute selection</source>
   <translation>从不重计算所选(&amp;V)</translation>
  </message>
  <message>
   <source>Writing the report</source>
   <translation>正在写报告</translation>
  </message>
  <message>
   <source>no model was opened</source>
   <translation>没有打开模型</translation>
  </message>
  <message>
   <source>%1: cannot be written</source>
   <translation>%1：无法写入</translation>
  </message>
  <message>
   <source>%1, so there is nothing to go on with. Open it from where it is now.</source>
   <translation>%1，因此无法继续。请从它现在的位置打开。</translation>
  </message>
  <message>
   <source>No longer keep the stage</source>
   <translation>不再保持该阶段</translation>
  </message>
  <message>
   <source>Keep the stage as it is</source>
   <translation>保持该阶段不变</translation>
  </message>
  <message>
   <source>Modules as blocks</source>
   <translation>模块作为整体</translation>
  </message>
  <message>
   <source>How many levels below the model itself: each module there is in one stage</source>
   <translation>位于模型之下多少层：该层每个模块都在一个阶段内</translation>
  </message>
  <message>
   <source>module</source>
   <translation>模块</translation>
  </message>
  <message>
   <source>module of its class</source>
   <translation>该类的模块</translation>
  </message>
  <message>
   <source>Treat %1 as one &amp;block</source>
   <translation>把 %1 当作一个整体(&amp;B)</translation>
  </message>
  <message>
   <source>Treat e&amp;very %1 as a block</source>
   <translation>把每个 %1 当作整体(&amp;V)</translation>
  </message>
  <message>
   <source>As all stages</source>
   <translation>与所有阶段相同</translation>
  </message>
  <message>
   <source>What this stage runs again in backward, whatever the others do</source>
   <translation>该阶段在反向传播中重新计算什么，与其他阶段无关</translation>
  </message>
  <message>
   <source>Recompute in sta&amp;ge %1</source>
   <translation>阶段 %1 的重计算(&amp;G)</translation>
  </message>
  <message>
   <source>Recompute in the sta&amp;ge</source>
   <translation>该阶段的重计算(&amp;G)</translation>
  </message>
  <message>
   <source>The device that takes longest for one microbatch sets the pace of all; how far it is above the mean of all devices is what balancing could gain at most</source>
   <translation>处理一个微批次最慢的设备决定整体速度；它高出平均值的部分是均衡所能获得的最大收益</translation>
  </message>
  <message>
   <source>Selection</source>
   <translation>选择</translation>
  </message>
  <message>
   <source>Stages and devices</source>
   <translation>阶段与设备</translation>
  </message>
  <message>
   <source>Slowest stage</source>
   <translation>最慢阶段</translation>
  </message>
  <message>
   <source>Bound</source>
   <translation>界限</translation>
  </message>
  <message>
   <source>What is selected; ops are numbered in the order in which they run</source>
   <translation>所选内容；算子按运行顺序编号</translation>
  </message>
  <message>
   <source>, %1 hidden</source>
   <translation>，%1 个隐藏</translation>
  </message>
  <message>
   <source>Operators in the model; hidden ones compute nothing and are not drawn</source>
   <translation>模型中的算子；隐藏的算子不做计算，也不绘制</translation>
  </message>
  <message>
   <source>What the plan is made for; a click shows where it is chosen</source>
   <translation>方案的条件；点击显示在何处选择</translation>
  </message>
  <message numerus="yes">
   <source>splitting into %n stage(s)…</source>
   <translation>
    <numerusform>正在切分为 %n 个阶段…</numerusform>
   </translation>
  </message>
  <message>
   <source>not split yet</source>
   <translation>尚未切分</translation>
  </message>
  <message>
   <source>%1 selected</source>
   <translation>已选择 %1</translation>
  </message>
  <message>
   <source>%1 (op %2)</source>
   <translation>%1（算子 %2）</translation>
  </message>
  <message>
   <source>slowest: %1, %2</source>
   <translation>最慢：%1，%2</translation>
  </message>
  <message>
   <source> (%1 above the mean)</source>
   <translation>（高于平均 %1）</translation>
  </message>
  <message>
   <source>Costs of operators are left out: %1</source>
   <translation>算子的开销被略去：%1</translation>
  </message>
  <message>
   <source>Costs of operators are not kept any more: %1</source>
   <translation>算子的开销不再保存：%1</translation>
  </message>
  <message>
   <source>Cos&amp;ts of %1</source>
   <translation>%1 的开销(&amp;T)</translation>
  </message>
  <message>
   <source>Costs of %1</source>
   <translation>%1 的开销</translation>
  </message>
  <message>
   <source>Library of operators</source>
   <translation>算子库</translation>
  </message>
  <message>
   <source>Colour ops by: %1</source>
   <translation>算子着色依据：%1</translation>
  </message>
  <message>
   <source>Show %1</source>
   <translation>显示 %1</translation>
  </message>
  <message>
   <source>Say what it costs…</source>
   <translation>说明其开销…</translation>
  </message>
  <message>
   <source>With these boundaries not every stage fits, whatever is recomputed.</source>
   <translation>按这些边界，无论重计算什么，都有阶段内存不足。</translation>
  </message>
  <message>
   <source>With these boundaries not every stage fits.</source>
   <translation>按这些边界，有阶段内存不足。</translation>
  </message>
  <message>
   <source>What is recomputed is of the boundaries before: its bytes and times are not exact.</source>
   <translation>重计算仍按之前的边界：其字节数和时间并不精确。</translation>
  </message>
  <message>
   <source>Make them exact</source>
   <translation>重新精确计算</translation>
  </message>
  <message>
   <source>The plan was made for other times of the ops.</source>
   <translation>该方案是按其他算子时间制定的。</translation>
  </message>
  <message>
   <source>This plan was edited before, and not saved.</source>
   <translation>此方案之前被编辑但未保存。</translation>
  </message>
  <message>
   <source>A plan of this model was edited before, and not saved.</source>
   <translation>此模型的一个方案之前被编辑但未保存。</translation>
  </message>
  <message>
   <source>The first NaN or infinity is made by %1 (%2)</source>
   <translation>第一个 NaN 或无穷大由 %1（%2）产生</translation>
  </message>
  <message>
   <source>The first NaN or infinity of the backward pass is made by %1 (%2)</source>
   <translation>反向中第一个 NaN 或无穷大由 %1（%2）产生</translation>
  </message>
  <message>
   <source> in %1</source>
   <translation>，位于 %1</translation>
  </message>
  <message>
   <source>Show it</source>
   <translation>显示</translation>
  </message>
  <message>
   <source>All plans here run again what the present one does. A plan that is taken chooses that anew: its memory and time may then differ from what it says here.</source>
   <translation>此处所有方案的重计算内容都与当前方案相同。采用某个方案后会重新选择重计算内容：其内存和时间可能与此处所示不同。</translation>
  </message>
  <message>
   <source>Delete a constraint</source>
   <translation>删除一个约束</translation>
  </message>
  <message>
   <source>Delete %1 constraints</source>
   <translation>删除 %1 个约束</translation>
  </message>
  <message>
   <source>Calibrating</source>
   <translation>正在校准</translation>
  </message>
  <message>
   <source>Comparing plans</source>
   <translation>正在比较方案</translation>
  </message>
  <message>
   <source>Cutting</source>
   <translation>正在切分</translation>
  </message>
  <message>
   <source>Following the script</source>
   <translation>正在跟踪脚本</translation>
  </message>
  <message>
   <source>Gradients</source>
   <translation>梯度</translation>
  </message>
  <message>
   <source>Improving</source>
   <translation>正在改进</translation>
  </message>
  <message>
   <source>Looking for changes</source>
   <translation>正在寻找改动</translation>
  </message>
  <message>
   <source>Matching operators</source>
   <translation>正在匹配算子</translation>
  </message>
  <message>
   <source>Measuring steps</source>
   <translation>正在测量步骤</translation>
  </message>
  <message>
   <source>Proving</source>
   <translation>正在证明</translation>
  </message>
  <message>
   <source>Reading operators</source>
   <translation>正在读取算子</translation>
  </message>
  <message>
   <source>Reading stages</source>
   <translation>正在读取阶段</translation>
  </message>
  <message>
   <source>Reading the model</source>
   <translation>正在读取模型</translation>
  </message>
  <message>
   <source>Running</source>
   <translation>正在运行</translation>
  </message>
  <message>
   <source>Running stages</source>
   <translation>正在运行各阶段</translation>
  </message>
  <message>
   <source>Running the model</source>
   <translation>正在运行模型</translation>
  </message>
  <message>
   <source>Running the stages in Python</source>
   <translation>正在 Python 中运行各阶段</translation>
  </message>
  <message>
   <source>Sketching plans</source>
   <translation>正在草拟方案</translation>
  </message>
  <message>
   <source>Slicing orders</source>
   <translation>正在划分次序</translation>
  </message>
  <message>
   <source>Tracing</source>
   <translation>正在追踪</translation>
  </message>
  <message>
   <source>Tracing what is kept</source>
   <translation>正在追踪保留的内容</translation>
  </message>
  <message>
   <source>Weighing what runs again</source>
   <translation>正在权衡重算内容</translation>
  </message>
  <message>
   <source>Writing stages</source>
   <translation>正在写入各阶段</translation>
  </message>
  <message>
   <source>Writing weights</source>
   <translation>正在写入权重</translation>
  </message>
  <message>
   <source>Searching %1 stages</source>
   <translation>正在搜索 %1 个阶段的方案</translation>
  </message>
  <message>
   <source>Stage</source>
   <translation>阶段</translation>
  </message>
  <message>
   <source>Time</source>
   <translation>时间</translation>
  </message>
  <message>
   <source>Operator</source>
   <translation>算子类型</translation>
  </message>
  <message>
   <source>Data type</source>
   <translation>数据类型</translation>
  </message>
  <message>
   <source>Measured or estimated</source>
   <translation>实测或估算</translation>
  </message>
  <message>
   <source>Own figures</source>
   <translation>自己的数据</translation>
  </message>
  <message>
   <source>What the colours of the graph stand for</source>
   <translation>图中颜色的含义</translation>
  </message>
  <message>
   <source>Legend</source>
   <translation>图例</translation>
  </message>
  <message>
   <source>Colours stand for %1 stages</source>
   <translation>颜色代表 %1 个阶段</translation>
  </message>
  <message>
   <source>%1: dark is %2, bright is %3</source>
   <translation>%1：深色为 %2，亮色为 %3</translation>
  </message>
  <message>
   <source>Completions</source>
   <translation>补全</translation>
  </message>
  <message>
   <source>Find</source>
   <translation>查找</translation>
  </message>
  <message>
   <source>Find ops: name, op:linear, time&gt;1ms</source>
   <translation>查找：名称、op:linear、time&gt;1ms</translation>
  </message>
  <message>
   <source>name, op:linear, time&gt;1ms</source>
   <translation>名称、op:linear、time&gt;1ms</translation>
  </message>
  <message>
   <source>Find ops</source>
   <translation>查找算子</translation>
  </message>
  <message>
   <source>Enter shows the next match, Shift+Enter the one before; Tab completes</source>
   <translation>Enter 显示下一个匹配，Shift+Enter 显示上一个；Tab 补全</translation>
  </message>
  <message>
   <source>none</source>
   <translation>无</translation>
  </message>
  <message>
   <source>%1 of %2</source>
   <translation>%1 / %2</translation>
  </message>
  <message>
   <source>No matches</source>
   <translation>无匹配</translation>
  </message>
  <message>
   <source>%1 matches</source>
   <translation>%1 个匹配</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>语言</translation>
  </message>
  <message>
   <source>Vision</source>
   <translation>视觉</translation>
  </message>
  <message>
   <source>Vision and language</source>
   <translation>视觉与语言</translation>
  </message>
  <message>
   <source>Other</source>
   <translation>其他</translation>
  </message>
  <message>
   <source>Multilayer perceptron</source>
   <translation>多层感知机</translation>
  </message>
  <message>
   <source>tokens</source>
   <translation>词元</translation>
  </message>
  <message>
   <source>samples</source>
   <translation>样本</translation>
  </message>
  <message>
   <source>pixels</source>
   <translation>像素</translation>
  </message>
  <message>
   <source>no</source>
   <translation>否</translation>
  </message>
  <message>
   <source>yes</source>
   <translation>是</translation>
  </message>
  <message>
   <source>basic</source>
   <translation>基本</translation>
  </message>
  <message>
   <source>bottleneck</source>
   <translation>瓶颈</translation>
  </message>
  <message>
   <source>Block</source>
   <translation>块</translation>
  </message>
  <message>
   <source>Blocks of stage 1</source>
   <translation>第 1 级的块数</translation>
  </message>
  <message>
   <source>Blocks of stage 2</source>
   <translation>第 2 级的块数</translation>
  </message>
  <message>
   <source>Blocks of stage 3</source>
   <translation>第 3 级的块数</translation>
  </message>
  <message>
   <source>Blocks of stage 4</source>
   <translation>第 4 级的块数</translation>
  </message>
  <message>
   <source>Buckets of relative positions</source>
   <translation>相对位置的桶数</translation>
  </message>
  <message>
   <source>Channels of the latent image</source>
   <translation>潜在图像的通道数</translation>
  </message>
  <message>
   <source>Classes</source>
   <translation>类别数</translation>
  </message>
  <message>
   <source>Layers of the decoder</source>
   <translation>解码器层数</translation>
  </message>
  <message>
   <source>First layers without experts</source>
   <translation>开头无专家的层数</translation>
  </message>
  <message>
   <source>Element type</source>
   <translation>元素类型</translation>
  </message>
  <message>
   <source>Width of an expert</source>
   <translation>专家宽度</translation>
  </message>
  <message>
   <source>Experts</source>
   <translation>专家数</translation>
  </message>
  <message>
   <source>Experts of a token</source>
   <translation>每个词元的专家数</translation>
  </message>
  <message>
   <source>Groups of experts</source>
   <translation>专家组数</translation>
  </message>
  <message>
   <source>Groups of a token</source>
   <translation>每个词元的组数</translation>
  </message>
  <message>
   <source>Width of a head without positions</source>
   <translation>无位置部分的头宽度</translation>
  </message>
  <message>
   <source>Width of a head</source>
   <translation>头宽度</translation>
  </message>
  <message>
   <source>Heads for images</source>
   <translation>图像头数</translation>
  </message>
  <message>
   <source>Heads</source>
   <translation>头数</translation>
  </message>
  <message>
   <source>Width of feed-forward for images</source>
   <translation>图像前馈宽度</translation>
  </message>
  <message>
   <source>Width of feed-forward</source>
   <translation>前馈宽度</translation>
  </message>
  <message>
   <source>Inputs</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>Heads of keys and values</source>
   <translation>键值头数</translation>
  </message>
  <message>
   <source>Rank of the latent</source>
   <translation>潜在表示的秩</translation>
  </message>
  <message>
   <source>Layers for images</source>
   <translation>图像层数</translation>
  </message>
  <message>
   <source>Layers of the encoder</source>
   <translation>编码器层数</translation>
  </message>
  <message>
   <source>Layers</source>
   <translation>层数</translation>
  </message>
  <message>
   <source>Outputs</source>
   <translation>输出</translation>
  </message>
  <message>
   <source>Positions of texts</source>
   <translation>文本位置数</translation>
  </message>
  <message>
   <source>Positions</source>
   <translation>位置数</translation>
  </message>
  <message>
   <source>Width of what both become</source>
   <translation>共同空间的宽度</translation>
  </message>
  <message>
   <source>Rank of queries</source>
   <translation>查询的秩</translation>
  </message>
  <message>
   <source>Queries are divided by the root of</source>
   <translation>查询除以此数的平方根</translation>
  </message>
  <message>
   <source>Base of rotary positions</source>
   <translation>旋转位置的底数</translation>
  </message>
  <message>
   <source>Base of rotary positions in windows</source>
   <translation>窗口内旋转位置的底数</translation>
  </message>
  <message>
   <source>Positions are stretched by</source>
   <translation>位置拉伸倍数</translation>
  </message>
  <message>
   <source>Width of a head with positions</source>
   <translation>带位置部分的头宽度</translation>
  </message>
  <message>
   <source>Shared experts</source>
   <translation>共享专家数</translation>
  </message>
  <message>
   <source>Modules that predict further tokens</source>
   <translation>预测后续词元的模块</translation>
  </message>
  <message>
   <source>Heads for texts</source>
   <translation>文本头数</translation>
  </message>
  <message>
   <source>Width of feed-forward for texts</source>
   <translation>文本前馈宽度</translation>
  </message>
  <message>
   <source>Layers for texts</source>
   <translation>文本层数</translation>
  </message>
  <message>
   <source>Width for texts</source>
   <translation>文本宽度</translation>
  </message>
  <message>
   <source>Embeddings tied to the head</source>
   <translation>嵌入与输出头共享</translation>
  </message>
  <message>
   <source>Width of a head's values</source>
   <translation>头的值宽度</translation>
  </message>
  <message>
   <source>Every so many layers one sees everything</source>
   <translation>每隔多少层有一层看到全部</translation>
  </message>
  <message>
   <source>Channels of stage 1</source>
   <translation>第 1 级的通道数</translation>
  </message>
  <message>
   <source>Width for images</source>
   <translation>图像宽度</translation>
  </message>
  <message>
   <source>Width</source>
   <translation>宽度</translation>
  </message>
  <message>
   <source>Channels of stage 2</source>
   <translation>第 2 级的通道数</translation>
  </message>
  <message>
   <source>Channels of stage 3</source>
   <translation>第 3 级的通道数</translation>
  </message>
  <message>
   <source>Channels of stage 4</source>
   <translation>第 4 级的通道数</translation>
  </message>
  <message>
   <source>Batch</source>
   <translation>批大小</translation>
  </message>
  <message>
   <source>Dropout</source>
   <translation>Dropout</translation>
  </message>
  <message>
   <source>Epsilon of norms is 10 to the minus</source>
   <translation>归一化的 epsilon 为 10 的负几次方</translation>
  </message>
  <message>
   <source>Beyond it positions share a bucket</source>
   <translation>超过此距离的位置共用一桶</translation>
  </message>
  <message>
   <source>Image</source>
   <translation>图像</translation>
  </message>
  <message>
   <source>Latent image</source>
   <translation>潜在图像</translation>
  </message>
  <message>
   <source>Labels left out</source>
   <translation>省略的标签</translation>
  </message>
  <message>
   <source>Patch</source>
   <translation>图块</translation>
  </message>
  <message>
   <source>Sequence</source>
   <translation>序列</translation>
  </message>
  <message>
   <source>Sequence of the decoder</source>
   <translation>解码器序列</translation>
  </message>
  <message>
   <source>Vocabulary</source>
   <translation>词表</translation>
  </message>
  <message>
   <source>Window of most layers</source>
   <translation>多数层的窗口</translation>
  </message>
  <message>
   <source>Residual blocks of a level</source>
   <translation>每层级的残差块数</translation>
  </message>
  <message>
   <source>Numbers of the image, beside the text as a whole</source>
   <translation>除整体文本外的图像数值个数</translation>
  </message>
  <message>
   <source>Token that stands for a patch</source>
   <translation>代表图块的词元</translation>
  </message>
  <message>
   <source>Width inside a layer</source>
   <translation>层内宽度</translation>
  </message>
  <message>
   <source>Tokens of the convolution</source>
   <translation>卷积的词元数</translation>
  </message>
  <message>
   <source>Levels</source>
   <translation>层级数</translation>
  </message>
  <message>
   <source>Transformers begin with a linear layer</source>
   <translation>Transformer 以线性层开头</translation>
  </message>
  <message>
   <source>Groups of a norm</source>
   <translation>归一化的组数</translation>
  </message>
  <message>
   <source>Width of the text as a whole (0: not read)</source>
   <translation>整体文本的宽度（0：不读取）</translation>
  </message>
  <message>
   <source>Sequence, each token written out</source>
   <translation>序列，每个词元逐一写出</translation>
  </message>
  <message>
   <source>Text</source>
   <translation>文本</translation>
  </message>
  <message>
   <source>Waves of each of them</source>
   <translation>每个数值的波数</translation>
  </message>
  <message>
   <source>State of a channel</source>
   <translation>每个通道的状态数</translation>
  </message>
  <message>
   <source>Rank of steps</source>
   <translation>步长的秩</translation>
  </message>
  <message>
   <source>Width of the text's vectors</source>
   <translation>文本向量的宽度</translation>
  </message>
  <message>
   <source>Transformer layers in the middle</source>
   <translation>中间的 Transformer 层数</translation>
  </message>
  <message>
   <source>Width, level 1</source>
   <translation>宽度，层级 1</translation>
  </message>
  <message>
   <source>Width, level 2</source>
   <translation>宽度，层级 2</translation>
  </message>
  <message>
   <source>Width, level 3</source>
   <translation>宽度，层级 3</translation>
  </message>
  <message>
   <source>Width, level 4</source>
   <translation>宽度，层级 4</translation>
  </message>
  <message>
   <source>Heads, level 1</source>
   <translation>头数，层级 1</translation>
  </message>
  <message>
   <source>Heads, level 2</source>
   <translation>头数，层级 2</translation>
  </message>
  <message>
   <source>Heads, level 3</source>
   <translation>头数，层级 3</translation>
  </message>
  <message>
   <source>Heads, level 4</source>
   <translation>头数，层级 4</translation>
  </message>
  <message>
   <source>Transformer layers, level 1</source>
   <translation>Transformer 层数，层级 1</translation>
  </message>
  <message>
   <source>Transformer layers, level 2</source>
   <translation>Transformer 层数，层级 2</translation>
  </message>
  <message>
   <source>Transformer layers, level 3</source>
   <translation>Transformer 层数，层级 3</translation>
  </message>
  <message>
   <source>Transformer layers, level 4</source>
   <translation>Transformer 层数，层级 4</translation>
  </message>
  <message>
   <source>%1%2 pts</source>
   <translation>%1%2 个百分点</translation>
  </message>
  <message>
   <source>proven optimal</source>
   <translation>已证明最优</translation>
  </message>
  <message>
   <source>proven within %1 of optimal</source>
   <translation>已证明与最优相差不超过 %1</translation>
  </message>
  <message>
   <source>1 stage</source>
   <translation>1 个阶段</translation>
  </message>
  <message>
   <source>%1 stages</source>
   <translation>%1 个阶段</translation>
  </message>
  <message>
   <source>%1 on 1 device</source>
   <translation>1 台设备上的 %1</translation>
  </message>
  <message>
   <source>%1 on %2 devices</source>
   <translation>%2 台设备上的 %1</translation>
  </message>
  <message>
   <source>slowest device</source>
   <translation>最慢设备</translation>
  </message>
  <message>
   <source>slowest stage</source>
   <translation>最慢阶段</translation>
  </message>
  <message>
   <source>%1 as before</source>
   <translation>%1 不变</translation>
  </message>
  <message>
   <source>does not fit into memory</source>
   <translation>内存不足</translation>
  </message>
  <message>
   <source>step %1</source>
   <translation>步骤 %1</translation>
  </message>
  <message>
   <source>slowest device %1</source>
   <translation>最慢设备 %1</translation>
  </message>
  <message>
   <source>A step of all microbatches takes %1, by simulating the schedule. No plan with as many stages, on these devices and within these limits, takes less than %2.</source>
   <translation>按调度模拟，全部微批次的一个步骤耗时 %1。在这些设备和限制下，阶段数相同的任何方案都不会少于 %2。</translation>
  </message>
  <message>
   <source>The slowest device takes %1 for one microbatch. No plan with as many stages, on these devices and within these limits, can have a slowest device faster than %2 (proven by: %3).</source>
   <translation>最慢的设备处理一个微批次需要 %1。在这些设备和限制下，阶段数相同的任何方案中最慢设备都不会快于 %2（证明方法：%3）。</translation>
  </message>
  <message>
   <source>%1 NaN</source>
   <translation>%1 个 NaN</translation>
  </message>
  <message>
   <source>%1 infinite</source>
   <translation>%1 个无穷大</translation>
  </message>
  <message>
   <source>mean %1</source>
   <translation>均值 %1</translation>
  </message>
  <message>
   <source>std %1</source>
   <translation>标准差 %1</translation>
  </message>
  <message>
   <source>largest %1</source>
   <translation>最大 %1</translation>
  </message>
  <message>
   <source>%1 zeros</source>
   <translation>%1 个零</translation>
  </message>
  <message>
   <source>1 op</source>
   <translation>1 个算子</translation>
  </message>
  <message>
   <source>%1 ops</source>
   <translation>%1 个算子</translation>
  </message>
  <message>
   <source>estimated</source>
   <translation>估算</translation>
  </message>
  <message>
   <source>not exact</source>
   <translation>不精确</translation>
  </message>
  <message>
   <source>measured</source>
   <translation>实测</translation>
  </message>
  <message>
   <source>imported</source>
   <translation>导入</translation>
  </message>
  <message>
   <source>estimated, not checked against measurements</source>
   <translation>估算，未经测量检验</translation>
  </message>
  <message>
   <source>estimated, usually within %1 %</source>
   <translation>估算，误差通常在 %1 % 以内</translation>
  </message>
  <message>
   <source>Times: %1</source>
   <translation>时间：%1</translation>
  </message>
  <message>
   <source>By %1 operators in float32; other types and whole models are outside of what was checked</source>
   <translation>依据 %1 个 float32 算子；其他类型和完整模型不在检验范围内</translation>
  </message>
  <message>
   <source>By %1 whole models</source>
   <translation>依据 %1 个完整模型</translation>
  </message>
  <message>
   <source>By %1 whole models (%2); others are outside of what was checked</source>
   <translation>依据 %1 个完整模型（%2）；其他模型未经验证</translation>
  </message>
  <message>
   <source>mixed</source>
   <translation>混合</translation>
  </message>
  <message>
   <source>times measured</source>
   <translation>时间为实测</translation>
  </message>
  <message>
   <source>times imported</source>
   <translation>时间为导入</translation>
  </message>
  <message>
   <source>not exact: %1 costed by size</source>
   <translation>不精确：%1 按大小估算</translation>
  </message>
  <message>
   <source>Note</source>
   <translation>提示</translation>
  </message>
  <message>
   <source>Warning</source>
   <translation>警告</translation>
  </message>
  <message>
   <source>Error</source>
   <translation>错误</translation>
  </message>
  <message>
   <source>Messages</source>
   <translation>消息</translation>
  </message>
  <message>
   <source>Copy the message</source>
   <translation>复制消息</translation>
  </message>
  <message>
   <source>All messages; the one that is chosen is shown</source>
   <translation>全部消息；选中的一条会显示出来</translation>
  </message>
  <message>
   <source>Dismiss (Esc)</source>
   <translation>关闭 (Esc)</translation>
  </message>
  <message>
   <source>Dismiss the message</source>
   <translation>关闭此消息</translation>
  </message>
  <message>
   <source>Details of the message</source>
   <translation>消息详情</translation>
  </message>
  <message>
   <source>%1 (%2 times)</source>
   <translation>%1（%2 次）</translation>
  </message>
  <message>
   <source>%1 more</source>
   <translation>另有 %1 项</translation>
  </message>
  <message>
   <source>Close all</source>
   <translation>全部关闭</translation>
  </message>
  <message>
   <source>Searching</source>
   <translation>正在搜索</translation>
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
   <translation>%1 分 %2 秒</translation>
  </message>
  <message>
   <source>Running job</source>
   <translation>正在运行的任务</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>进度</translation>
  </message>
  <message>
   <source>Cancel (Esc)</source>
   <translation>取消 (Esc)</translation>
  </message>
  <message>
   <source>Cancel the job</source>
   <translation>取消任务</translation>
  </message>
  <message>
   <source>Cancelling %1</source>
   <translation>正在取消 %1</translation>
  </message>
  <message>
   <source>%1, about %2 left</source>
   <translation>%1，还剩约 %2</translation>
  </message>
  <message>
   <source>parameters</source>
   <translation>参数</translation>
  </message>
  <message>
   <source>buffers</source>
   <translation>缓冲区</translation>
  </message>
  <message>
   <source>inputs</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>optimizer state</source>
   <translation>优化器状态</translation>
  </message>
  <message>
   <source>gradients</source>
   <translation>梯度</translation>
  </message>
  <message>
   <source>saved activations</source>
   <translation>保存的激活</translation>
  </message>
  <message>
   <source>outputs</source>
   <translation>输出</translation>
  </message>
  <message>
   <source>gradients in flight</source>
   <translation>传递中的梯度</translation>
  </message>
  <message>
   <source>temporaries</source>
   <translation>临时张量</translation>
  </message>
  <message>
   <source>workspaces</source>
   <translation>工作区</translation>
  </message>
  <message>
   <source>forward</source>
   <translation>前向</translation>
  </message>
  <message>
   <source>backward</source>
   <translation>反向</translation>
  </message>
  <message>
   <source>optimizer</source>
   <translation>优化器</translation>
  </message>
  <message>
   <source>Mode</source>
   <translation>模式</translation>
  </message>
  <message>
   <source>What a step is</source>
   <translation>一个步骤指什么</translation>
  </message>
  <message>
   <source>Training</source>
   <translation>训练</translation>
  </message>
  <message>
   <source>Inference</source>
   <translation>推理</translation>
  </message>
  <message>
   <source>Lowering</source>
   <translation>内核实现</translation>
  </message>
  <message>
   <source>Which kernels an operator becomes: the device's own, an attention route, or (rough) those that torch.compile fuses</source>
   <translation>算子使用哪些内核：设备自己的、指定的注意力实现，或（粗略）torch.compile 融合的内核</translation>
  </message>
  <message>
   <source>The device's own</source>
   <translation>设备自己的</translation>
  </message>
  <message>
   <source>Math</source>
   <translation>Math</translation>
  </message>
  <message>
   <source>Memory-efficient</source>
   <translation>节省内存</translation>
  </message>
  <message>
   <source>The CPU's</source>
   <translation>CPU 的</translation>
  </message>
  <message>
   <source>Compiled (rough)</source>
   <translation>编译后（粗略）</translation>
  </message>
  <message>
   <source>Optimizer</source>
   <translation>优化器</translation>
  </message>
  <message>
   <source>What updates the parameters</source>
   <translation>更新参数的方法</translation>
  </message>
  <message>
   <source>None</source>
   <translation>无</translation>
  </message>
  <message>
   <source>SGD with momentum</source>
   <translation>带动量的 SGD</translation>
  </message>
  <message>
   <source>Optimizer variant</source>
   <translation>优化器变体</translation>
  </message>
  <message>
   <source>How it goes about it; default: what torch.optim takes on the device</source>
   <translation>其实现方式；默认：torch.optim 在该设备上的选择</translation>
  </message>
  <message>
   <source>As torch.optim takes it</source>
   <translation>同 torch.optim</translation>
  </message>
  <message>
   <source>One parameter after the other</source>
   <translation>逐个参数</translation>
  </message>
  <message>
   <source>All parameters at once</source>
   <translation>所有参数一起</translation>
  </message>
  <message>
   <source>Fused</source>
   <translation>融合 (fused)</translation>
  </message>
  <message>
   <source>Precision</source>
   <translation>精度</translation>
  </message>
  <message>
   <source>The type in which the step computes</source>
   <translation>步骤计算所用的类型</translation>
  </message>
  <message>
   <source>As exported</source>
   <translation>按导出时</translation>
  </message>
  <message>
   <source>Those of the step before: dropped (set_to_none), or kept and added to</source>
   <translation>上一步的梯度：丢弃 (set_to_none)，或保留并累加</translation>
  </message>
  <message>
   <source>Dropped</source>
   <translation>丢弃</translation>
  </message>
  <message>
   <source>Kept</source>
   <translation>保留</translation>
  </message>
  <message>
   <source>Microbatches</source>
   <translation>微批次</translation>
  </message>
  <message>
   <source>How many microbatches a step has</source>
   <translation>一个步骤有多少微批次</translation>
  </message>
  <message>
   <source>In which order devices run the microbatches</source>
   <translation>设备运行微批次的顺序</translation>
  </message>
  <message>
   <source>Looped breadth-first</source>
   <translation>循环广度优先</translation>
  </message>
  <message>
   <source>Sending</source>
   <translation>发送</translation>
  </message>
  <message>
   <source>From stage to stage (relay) or straight to each reader</source>
   <translation>逐阶段传递 (relay) 或直接发给每个读取者</translation>
  </message>
  <message>
   <source>From stage to stage</source>
   <translation>逐阶段传递</translation>
  </message>
  <message>
   <source>Straight to each reader</source>
   <translation>直接发给每个读取者</translation>
  </message>
  <message>
   <source>Segments</source>
   <translation>内存段</translation>
  </message>
  <message>
   <source>How PyTorch takes memory from the device: in pieces that stay as they are (fixed), or in one that grows (expandable, PYTORCH_ALLOC_CONF=expandable_segments:True)</source>
   <translation>PyTorch 如何向设备申请内存：大小固定的内存段（fixed），或一个可增长的内存段（expandable，PYTORCH_ALLOC_CONF=expandable_segments:True）</translation>
  </message>
  <message>
   <source>Of fixed sizes</source>
   <translation>大小固定</translation>
  </message>
  <message>
   <source>Expandable</source>
   <translation>可扩展</translation>
  </message>
  <message>
   <source>Run-time</source>
   <translation>运行时</translation>
  </message>
  <message>
   <source>Whose buffers count as memory of the stages: nobody's (ideal), or those of torch.distributed.pipelining: one for each microbatch and way (torch-2.14: up to that version), or what crosses until its backward (torch-2.15), or those of exports, which make them in time for gpipe and 1f1b (exported)</source>
   <translation>哪些缓冲区计入各阶段的内存：不计（ideal），或 torch.distributed.pipelining 的缓冲区：每个微批次和方向各一个（torch-2.14：直至该版本），或跨阶段的内容直到其反向传播（torch-2.15），或导出包的缓冲区，对 gpipe 和 1f1b 用到时才创建（exported）</translation>
  </message>
  <message>
   <source>PyTorch up to 2.14</source>
   <translation>PyTorch 2.14 及以前</translation>
  </message>
  <message>
   <source>PyTorch from 2.15</source>
   <translation>PyTorch 2.15 起</translation>
  </message>
  <message>
   <source>Objective</source>
   <translation>目标</translation>
  </message>
  <message>
   <source>What to make short: the slowest device by its computing and transfers (sum), its computing (compute) or the longest of them (overlap), or the simulated step (iteration). Without it sum, or iteration where stages share devices</source>
   <translation>要缩短什么：最慢设备的计算与传输之和 (sum)、其计算 (compute)、其中最长者 (overlap)，或模拟的步骤 (iteration)。未指定时为 sum；多个阶段共用设备时为 iteration</translation>
  </message>
  <message>
   <source>Slowest device, with transfers</source>
   <translation>最慢设备，含传输</translation>
  </message>
  <message>
   <source>Slowest device, computing alone</source>
   <translation>最慢设备，仅计算</translation>
  </message>
  <message>
   <source>Slowest device, transfers beside</source>
   <translation>最慢设备，传输并行</translation>
  </message>
  <message>
   <source>Time of a step</source>
   <translation>一个步骤的时间</translation>
  </message>
  <message>
   <source>Recompute</source>
   <translation>重计算</translation>
  </message>
  <message>
   <source>What backward runs again instead of having it kept (torch.utils.checkpoint): what the file says, nothing, every block ('every N': each N-th), blocks but for matrix products, convolutions and attention ('ops LIST': but for these), or as little as the memory limit demands</source>
   <translation>反向时重新运行而不保留的内容 (torch.utils.checkpoint)：按文件所述、无、每个块（'every N'：每第 N 个）、除矩阵乘、卷积和注意力之外的块（'ops LIST'：除这些之外），或内存上限所需的最少量</translation>
  </message>
  <message>
   <source>As the model says</source>
   <translation>按模型所述</translation>
  </message>
  <message>
   <source>Nothing</source>
   <translation>无</translation>
  </message>
  <message>
   <source>Every block</source>
   <translation>每个块</translation>
  </message>
  <message>
   <source>Every second block</source>
   <translation>每隔一个块</translation>
  </message>
  <message>
   <source>Blocks, but matrix products</source>
   <translation>块，矩阵乘除外</translation>
  </message>
  <message>
   <source>As little as memory demands</source>
   <translation>内存所需的最少量</translation>
  </message>
  <message>
   <source>Seed</source>
   <translation>随机种子</translation>
  </message>
  <message>
   <source>Seed of the search's random orders</source>
   <translation>搜索中随机顺序的种子</translation>
  </message>
  <message>
   <source>stage %1</source>
   <translation>阶段 %1</translation>
  </message>
  <message>
   <source>stages %1 and %2</source>
   <translation>阶段 %1 和 %2</translation>
  </message>
  <message>
   <source>boundary %1|%2</source>
   <translation>边界 %1|%2</translation>
  </message>
  <message>
   <source>device %1 (%2)</source>
   <translation>设备 %1（%2）</translation>
  </message>
  <message>
   <source>Memory of each stage, without others on its device</source>
   <translation>每个阶段的内存，不含同设备的其他阶段</translation>
  </message>
  <message>
   <source>Memory of each stage's device</source>
   <translation>每个阶段所在设备的内存</translation>
  </message>
  <message>
   <source>, limit %1</source>
   <translation>，上限 %1</translation>
  </message>
  <message>
   <source>; dotted: if nothing ran again, up to %1</source>
   <translation>；虚线：若无重计算，最多 %1</translation>
  </message>
  <message>
   <source>weights, state, buffers</source>
   <translation>权重、状态、缓冲区</translation>
  </message>
  <message>
   <source>kept for backward</source>
   <translation>为反向保留</translation>
  </message>
  <message>
   <source>peak</source>
   <translation>峰值</translation>
  </message>
  <message>
   <source>limit</source>
   <translation>上限</translation>
  </message>
  <message>
   <source>above it</source>
   <translation>超出</translation>
  </message>
  <message>
   <source>while it runs again</source>
   <translation>重算期间</translation>
  </message>
  <message>
   <source>%1 · %2 held</source>
   <translation>%1 · 占用 %2</translation>
  </message>
  <message>
   <source> · %1 if nothing ran again</source>
   <translation> · 若无重计算为 %1</translation>
  </message>
  <message>
   <source> · its region takes %1 while it does</source>
   <translation> · 其区域此时占用 %1</translation>
  </message>
  <message>
   <source>Time of each op: forward up, backward down</source>
   <translation>每个算子的时间：前向向上，反向向下</translation>
  </message>
  <message>
   <source>Time of each op</source>
   <translation>每个算子的时间</translation>
  </message>
  <message>
   <source>; %1 taller than the scale cut off (//)</source>
   <translation>；%1超出刻度被截断 (//)</translation>
  </message>
  <message>
   <source>forward %1 · backward %2</source>
   <translation>前向 %1 · 反向 %2</translation>
  </message>
  <message>
   <source>Bytes across a boundary, both ways, for one microbatch</source>
   <translation>每个微批次跨边界双向传输的字节数</translation>
  </message>
  <message>
   <source>Bytes across a boundary, for one microbatch</source>
   <translation>每个微批次跨边界传输的字节数</translation>
  </message>
  <message>
   <source>least</source>
   <translation>最小</translation>
  </message>
  <message>
   <source>most, where ops are narrower than a pixel</source>
   <translation>最大，当算子窄于一个像素时</translation>
  </message>
  <message>
   <source>%1 before it</source>
   <translation>其前 %1</translation>
  </message>
  <message>
   <source>%1, by logarithm</source>
   <translation>%1，对数</translation>
  </message>
  <message>
   <source>Logarithmic values</source>
   <translation>对数值</translation>
  </message>
  <message>
   <source>Memory, time and bytes across a boundary appear here once the model is profiled.</source>
   <translation>分析模型开销后，此处显示内存、时间和跨边界字节数。</translation>
  </message>
  <message>
   <source>Memory, time and bytes across a boundary along the execution order</source>
   <translation>按执行顺序的内存、时间和跨边界字节数</translation>
  </message>
  <message>
   <source>Charts along the execution order</source>
   <translation>按执行顺序的图表</translation>
  </message>
  <message>
   <source>Brackets choose a boundary, arrow keys move it; the stages table shows the same figures</source>
   <translation>方括号键选择边界，方向键移动；阶段表显示相同数据</translation>
  </message>
  <message>
   <source>by op</source>
   <translation>按算子</translation>
  </message>
  <message>
   <source>by time</source>
   <translation>按时间</translation>
  </message>
  <message>
   <source>Execution axis</source>
   <translation>执行轴</translation>
  </message>
  <message>
   <source>Number the ops, or give each its time: then an even split has even lines</source>
   <translation>给算子编号，或按时间占宽：后者下均衡切分的线间距相等</translation>
  </message>
  <message>
   <source>Show times and bytes by their logarithm: small ones beside large ones</source>
   <translation>按对数显示时间和字节：小值与大值并列</translation>
  </message>
  <message>
   <source>Compare 1 to 16 stages</source>
   <translation>比较 1 到 16 个阶段</translation>
  </message>
  <message>
   <source>What do more devices bring? The best plan for each number of stages, with its time, memory and bubble; what runs again is as in the present plan.</source>
   <translation>更多设备有何收益？各阶段数的最佳方案及其时间、内存和空泡；重计算的内容与当前方案相同。</translation>
  </message>
  <message>
   <source>Plans for every number of stages can be compared here once a model is profiled.</source>
   <translation>分析模型开销后，可在此比较各阶段数的方案。</translation>
  </message>
  <message>
   <source>The best plan for every number of stages; Enter adopts one</source>
   <translation>各阶段数的最佳方案；Enter 采用</translation>
  </message>
  <message>
   <source>Plans by number of stages</source>
   <translation>按阶段数的方案</translation>
  </message>
  <message>
   <source>Adopt this plan</source>
   <translation>采用此方案</translation>
  </message>
  <message>
   <source>Differences are to B</source>
   <translation>差异相对于 B</translation>
  </message>
  <message>
   <source>The table beside it has the same figures</source>
   <translation>旁边的表格有相同数据</translation>
  </message>
  <message>
   <source>Slowest device, for one microbatch; below it what no plan can beat</source>
   <translation>最慢设备处理一个微批次的时间；其下为任何方案都无法超越的值</translation>
  </message>
  <message>
   <source>Peak memory of the fullest device; hollow: over the limit</source>
   <translation>占用最多的设备的内存峰值；空心：超出上限</translation>
  </message>
  <message>
   <source>Bubble: share of all devices' time in which they wait</source>
   <translation>空泡：所有设备等待时间所占比例</translation>
  </message>
  <message>
   <source>to come</source>
   <translation>待计算</translation>
  </message>
  <message>
   <source>no plan</source>
   <translation>无方案</translation>
  </message>
  <message>
   <source>over the limit</source>
   <translation>超出上限</translation>
  </message>
  <message>
   <source>How many stages, as many to each device as now; starred where no other number is better in time, memory and bytes sent together</source>
   <translation>阶段数，每设备阶段数同当前；若没有其他数目在时间、内存和发送字节上同时更好，则加星标</translation>
  </message>
  <message>
   <source>Slowest device</source>
   <translation>最慢设备</translation>
  </message>
  <message>
   <source>What the slowest device takes for one microbatch: it sets the pace</source>
   <translation>最慢设备处理一个微批次的时间：它决定节奏</translation>
  </message>
  <message>
   <source>Speed-up</source>
   <translation>加速比</translation>
  </message>
  <message>
   <source>How many times faster a training step is than on one device, and what share of that many devices' time it uses</source>
   <translation>一个训练步骤比单台设备快多少倍，以及利用了这么多设备时间的多大比例</translation>
  </message>
  <message>
   <source>Peak memory</source>
   <translation>内存峰值</translation>
  </message>
  <message>
   <source>The most that any of the devices holds at once</source>
   <translation>任一设备同时占用的最大值</translation>
  </message>
  <message>
   <source>Bubble</source>
   <translation>空泡</translation>
  </message>
  <message>
   <source>The share of all devices' time in which they wait</source>
   <translation>所有设备等待时间所占比例</translation>
  </message>
  <message>
   <source>Quality</source>
   <translation>质量</translation>
  </message>
  <message>
   <source>How far the plan can be from the best of that many stages</source>
   <translation>方案与该阶段数最优方案的最大差距</translation>
  </message>
  <message>
   <source>allocated %1, reserved %2, on the device %3</source>
   <translation>已分配 %1，已保留 %2，设备占用 %3</translation>
  </message>
  <message>
   <source>Here %1, in B %2</source>
   <translation>此处 %1，B 中 %2</translation>
  </message>
  <message>
   <source>Memory at the peak by category</source>
   <translation>峰值内存按类别</translation>
  </message>
  <message>
   <source>free on the device</source>
   <translation>设备空闲</translation>
  </message>
  <message>
   <source>What a training step holds in memory appears here once a model is profiled.</source>
   <translation>分析模型开销后，此处显示训练步骤占用的内存。</translation>
  </message>
  <message>
   <source>What a step of the whole model holds on one device, and at its peak</source>
   <translation>完整模型的一个步骤在单台设备上的占用及峰值</translation>
  </message>
  <message>
   <source>Looks for the largest batch with which a step of the whole model stays within the device's memory</source>
   <translation>寻找完整模型一个步骤不超出设备内存的最大批次</translation>
  </message>
  <message>
   <source>by category</source>
   <translation>按类别</translation>
  </message>
  <message>
   <source>by module</source>
   <translation>按模块</translation>
  </message>
  <message>
   <source>How memory is listed</source>
   <translation>内存的列出方式</translation>
  </message>
  <message>
   <source>Alive at the peak</source>
   <translation>峰值时存活</translation>
  </message>
  <message>
   <source>Bytes</source>
   <translation>字节</translation>
  </message>
  <message>
   <source>Share</source>
   <translation>占比</translation>
  </message>
  <message>
   <source>What is alive at the peak</source>
   <translation>峰值时存活的内容</translation>
  </message>
  <message>
   <source>Find largest batch</source>
   <translation>寻找最大批次</translation>
  </message>
  <message>
   <source>How large may the batch be?</source>
   <translation>批次可以多大？</translation>
  </message>
  <message>
   <source>A training step of the whole model</source>
   <translation>完整模型的一个训练步骤</translation>
  </message>
  <message>
   <source>An inference of the whole model</source>
   <translation>完整模型的一次推理</translation>
  </message>
  <message>
   <source>fits on one %1</source>
   <translation>可放入一台 %1</translation>
  </message>
  <message>
   <source>does not fit on one %1</source>
   <translation>无法放入一台 %1</translation>
  </message>
  <message>
   <source>&lt;b&gt;%1&lt;/b&gt; allocated · &lt;b&gt;%2&lt;/b&gt; reserved · &lt;b&gt;%3&lt;/b&gt; on the device, of %4</source>
   <translation>已分配 &lt;b&gt;%1&lt;/b&gt; · 已保留 &lt;b&gt;%2&lt;/b&gt; · 设备占用 &lt;b&gt;%3&lt;/b&gt;，共 %4</translation>
  </message>
  <message>
   <source> · &lt;b&gt;not exact&lt;/b&gt;</source>
   <translation> · &lt;b&gt;不精确&lt;/b&gt;</translation>
  </message>
  <message>
   <source>Allocated: tensors, each rounded up to 512 bytes.
Reserved: what PyTorch's caching allocator takes from the device to serve them.
On the device: with what the driver's context takes.
First step: %1.
Later steps: %2.</source>
   <translation>已分配：张量，各自按 512 字节向上取整。
已保留：PyTorch 缓存分配器为此向设备申请的内存。
设备占用：还包括驱动上下文。
第一步：%1。
之后各步：%2。</translation>
  </message>
  <message>
   <source>Peak: %1</source>
   <translation>峰值：%1</translation>
  </message>
  <message>
   <source>and %1 more</source>
   <translation>及另外 %1 项</translation>
  </message>
  <message>
   <source>the step itself</source>
   <translation>步骤本身</translation>
  </message>
  <message>
   <source>of no op</source>
   <translation>不属于任何算子</translation>
  </message>
  <message>
   <source>inputs, the loss</source>
   <translation>输入、损失</translation>
  </message>
  <message>
   <source>run again</source>
   <translation>重计算</translation>
  </message>
  <message>
   <source>%1 of %2 (%3)</source>
   <translation>%2 的%1（%3）</translation>
  </message>
  <message>
   <source>No input of this model has a batch dimension.</source>
   <translation>此模型没有带批次维度的输入。</translation>
  </message>
  <message>
   <source>Not even a batch of 1 fits.</source>
   <translation>连批次 1 也放不下。</translation>
  </message>
  <message>
   <source>At most %1 in a batch: %2</source>
   <translation>批次最多 %1：%2</translation>
  </message>
  <message>
   <source> (the file fixes the batch: what the step adds is taken to grow with it)</source>
   <translation>（文件固定了批次：假定步骤的增量随之增长）</translation>
  </message>
  <message>
   <source> (the file allows no more)</source>
   <translation>（文件不允许更多）</translation>
  </message>
  <message>
   <source>Memory at the peak</source>
   <translation>峰值内存</translation>
  </message>
  <message>
   <source>Kept for backward</source>
   <translation>为反向保留</translation>
  </message>
  <message>
   <source>Parameters</source>
   <translation>参数</translation>
  </message>
  <message>
   <source>What each module takes appears here once the model is profiled.</source>
   <translation>分析模型开销后，此处显示每个模块的开销。</translation>
  </message>
  <message>
   <source>Where time and memory go, by module</source>
   <translation>按模块显示时间与内存的去向</translation>
  </message>
  <message>
   <source>Treemap</source>
   <translation>矩形树图</translation>
  </message>
  <message>
   <source>Flame graph</source>
   <translation>火焰图</translation>
  </message>
  <message>
   <source>Shape</source>
   <translation>形式</translation>
  </message>
  <message>
   <source>What sizes stand for</source>
   <translation>大小的含义</translation>
  </message>
  <message>
   <source>What colours stand for</source>
   <translation>颜色的含义</translation>
  </message>
  <message>
   <source>Which module is shown</source>
   <translation>显示哪个模块</translation>
  </message>
  <message>
   <source>Nothing of this model takes any: choose another measure.</source>
   <translation>此模型没有这项开销：请选择其他度量。</translation>
  </message>
  <message>
   <source>Modules</source>
   <translation>模块</translation>
  </message>
  <message>
   <source>What each module takes of the model, as boxes within boxes</source>
   <translation>每个模块在模型中所占的份额，以嵌套方框表示</translation>
  </message>
  <message>
   <source>own ops</source>
   <translation>自身算子</translation>
  </message>
  <message>
   <source>%1: ops of no module below</source>
   <translation>%1：不属于下级模块的算子</translation>
  </message>
  <message>
   <source>several stages</source>
   <translation>多个阶段</translation>
  </message>
  <message>
   <source>%1
%2: %3, %4 of all
%5, %6</source>
   <translation>%1
%2：%3，占全部 %4
%5，%6</translation>
  </message>
  <message>
   <source> (own ops)</source>
   <translation>（自身算子）</translation>
  </message>
  <message>
   <source>Save picture…</source>
   <translation>保存图片…</translation>
  </message>
  <message>
   <source>Save the picture</source>
   <translation>保存图片</translation>
  </message>
  <message>
   <source>Save series…</source>
   <translation>保存数据…</translation>
  </message>
  <message>
   <source>Save the series</source>
   <translation>保存数据</translation>
  </message>
  <message>
   <source>Comma-separated values (*.csv)</source>
   <translation>逗号分隔值 (*.csv)</translation>
  </message>
  <message>
   <source>transfer</source>
   <translation>传输</translation>
  </message>
  <message>
   <source>decides the step</source>
   <translation>决定步骤时间</translation>
  </message>
  <message>
   <source>Take the step below away</source>
   <translation>移除下方的步骤</translation>
  </message>
  <message>
   <source>The timeline of a step, a row a device</source>
   <translation>一个步骤的时间线，每台设备一行</translation>
  </message>
  <message>
   <source>below, B: %1: %2</source>
   <translation>下方，B：%1：%2</translation>
  </message>
  <message>
   <source>below, measured: %1</source>
   <translation>下方，实测：%1</translation>
  </message>
  <message>
   <source>B shows again without it</source>
   <translation>移除后重新显示 B</translation>
  </message>
  <message>
   <source>The timeline of a step shows here once there is a plan.</source>
   <translation>有方案后，此处显示一个步骤的时间线。</translation>
  </message>
  <message>
   <source>gradients of inputs</source>
   <translation>输入的梯度</translation>
  </message>
  <message>
   <source>gradients of weights</source>
   <translation>权重的梯度</translation>
  </message>
  <message>
   <source>step %1, bubble %2: schedule %3, imbalance %4, transfers %5</source>
   <translation>步骤 %1，空泡 %2：调度 %3，不均衡 %4，传输 %5</translation>
  </message>
  <message>
   <source>%1: %2 of microbatch %3
%4, from %5</source>
   <translation>%1：微批次 %3 的%2
%4，始于 %5</translation>
  </message>
  <message>
   <source>
before it %1 of receiving</source>
   <translation>
之前接收 %1</translation>
  </message>
  <message>
   <source>
runs as one with the action behind it</source>
   <translation>
与其后的动作合并运行</translation>
  </message>
  <message>
   <source>
after it %1 of sending</source>
   <translation>
之后发送 %1</translation>
  </message>
  <message>
   <source>Device %1 holds %2 at %3, %4 at most</source>
   <translation>设备 %1 在 %3 占用 %2，最多 %4</translation>
  </message>
  <message>
   <source>, its limit is %1</source>
   <translation>，其上限为 %1</translation>
  </message>
  <message>
   <source>%1 of microbatch %2</source>
   <translation>微批次 %2 的%1</translation>
  </message>
  <message>
   <source>waits</source>
   <translation>等待</translation>
  </message>
  <message>
   <source>over its limit of %1</source>
   <translation>超出上限 %1</translation>
  </message>
  <message>
   <source>limit %1</source>
   <translation>上限 %1</translation>
  </message>
  <message>
   <source>Parameters, gradients, optimizer state, buffers</source>
   <translation>参数、梯度、优化器状态、缓冲区</translation>
  </message>
  <message>
   <source>Kept for microbatches: %1</source>
   <translation>为微批次保留：%1</translation>
  </message>
  <message>
   <source>The most that is alive besides while it runs</source>
   <translation>运行期间另外存活的最大值</translation>
  </message>
  <message>
   <source>Gradients that wait for those of weights, and what was sent</source>
   <translation>等待权重梯度的梯度，以及已发送的内容</translation>
  </message>
  <message>
   <source>Peak of %1: %2 at %3</source>
   <translation>%1 的峰值：%2，位于 %3</translation>
  </message>
  <message>
   <source>Device %1</source>
   <translation>设备 %1</translation>
  </message>
  <message>
   <source>dashed: what the stages of a device hold together</source>
   <translation>虚线：一台设备上各阶段的合计占用</translation>
  </message>
  <message>
   <source>Limit %1</source>
   <translation>上限 %1</translation>
  </message>
  <message>
   <source>Limit of %1: %2</source>
   <translation>%1 的上限：%2</translation>
  </message>
  <message>
   <source>all stages take %1 times as long</source>
   <translation>所有阶段耗时为 %1 倍</translation>
  </message>
  <message>
   <source>waiting, and microbatches that differ</source>
   <translation>等待，以及不一致的微批次</translation>
  </message>
  <message>
   <source>waiting: sends, and microbatches that differ</source>
   <translation>等待：发送，以及不一致的微批次</translation>
  </message>
  <message>
   <source>before the first action and after the last</source>
   <translation>第一个动作之前和最后一个动作之后</translation>
  </message>
  <message>
   <source>sends</source>
   <translation>发送</translation>
  </message>
  <message>
   <source>%1 is slower than others</source>
   <translation>%1 比其他慢</translation>
  </message>
  <message>
   <source>%1 is faster than others</source>
   <translation>%1 比其他快</translation>
  </message>
  <message>
   <source>%1, as planned</source>
   <translation>%1，与计划一致</translation>
  </message>
  <message>
   <source>%1, %2 shorter than planned: %3</source>
   <translation>%1，比计划短 %2：%3</translation>
  </message>
  <message>
   <source>%1, %2 longer than planned: %3</source>
   <translation>%1，比计划长 %2：%3</translation>
  </message>
  <message>
   <source>measured %1, from %2: %3 %4, %5 %6</source>
   <translation>实测 %1，始于 %2：%4 %3，%6 %5</translation>
  </message>
  <message>
   <source>shorter</source>
   <translation>缩短</translation>
  </message>
  <message>
   <source>longer</source>
   <translation>延长</translation>
  </message>
  <message>
   <source>earlier</source>
   <translation>提前</translation>
  </message>
  <message>
   <source>later</source>
   <translation>推迟</translation>
  </message>
  <message>
   <source>Other microbatches, run-time buffers</source>
   <translation>其他微批次与运行时缓冲区</translation>
  </message>
  <message>
   <source>Position</source>
   <translation>位置</translation>
  </message>
  <message>
   <source>Moment</source>
   <translation>时刻</translation>
  </message>
  <message>
   <source>What a step holds at every moment appears here once the model is profiled.</source>
   <translation>分析模型开销后，此处显示步骤每一时刻的占用。</translation>
  </message>
  <message>
   <source>What is alive over a whole step, by category</source>
   <translation>整个步骤中存活的内容，按类别</translation>
  </message>
  <message>
   <source>Whose memory</source>
   <translation>谁的内存</translation>
  </message>
  <message>
   <source>Memory over the step</source>
   <translation>整个步骤的内存</translation>
  </message>
  <message>
   <source>Memory of all stages over the step</source>
   <translation>整个步骤中所有阶段的内存</translation>
  </message>
  <message>
   <source>Alive then</source>
   <translation>当时存活</translation>
  </message>
  <message>
   <source>What is alive then</source>
   <translation>当时存活的内容</translation>
  </message>
  <message>
   <source>Memory of all stages</source>
   <translation>所有阶段的内存</translation>
  </message>
  <message>
   <source>Whole model on one device</source>
   <translation>单台设备上的完整模型</translation>
  </message>
  <message>
   <source>All stages over the step</source>
   <translation>整个步骤中的所有阶段</translation>
  </message>
  <message>
   <source>The step of this plan is not known yet.</source>
   <translation>此方案的步骤尚不清楚。</translation>
  </message>
  <message>
   <source>%1: %2 alive</source>
   <translation>%1：存活 %2</translation>
  </message>
  <message>
   <source>Peak %2 at %1</source>
   <translation>峰值 %2，位于 %1</translation>
  </message>
  <message>
   <source>With the difference from B at the same moment; at the peak, from B's own peak</source>
   <translation>附同一时刻与 B 的差异；在峰值处则与 B 自己的峰值相比</translation>
  </message>
  <message>
   <source>Step</source>
   <translation>步骤</translation>
  </message>
  <message>
   <source>The simulated time of a whole step, all microbatches</source>
   <translation>整个步骤（全部微批次）的模拟时间</translation>
  </message>
  <message>
   <source>What the slowest device takes for one microbatch</source>
   <translation>最慢设备处理一个微批次的时间</translation>
  </message>
  <message>
   <source>Sent</source>
   <translation>发送</translation>
  </message>
  <message>
   <source>Bytes sent between stages for one microbatch</source>
   <translation>每个微批次在阶段之间发送的字节数</translation>
  </message>
  <message>
   <source>How far the plan can be from the best that gives up nothing</source>
   <translation>方案与不作取舍的最优方案的最大差距</translation>
  </message>
  <message>
   <source>Asked for</source>
   <translation>搜索条件</translation>
  </message>
  <message>
   <source>What the search was asked for to get this plan</source>
   <translation>得到此方案所用的搜索条件</translation>
  </message>
  <message>
   <source>Does not fit into memory</source>
   <translation>内存不足</translation>
  </message>
  <message>
   <source>Find trade-offs</source>
   <translation>寻找折中方案</translation>
  </message>
  <message>
   <source>What would a little more time save? Plans of as many stages that need less memory or send less.</source>
   <translation>多花一点时间能节省什么？阶段数相同、内存或通信更少的方案。</translation>
  </message>
  <message>
   <source>Plans that trade time for memory or for bytes sent can be found here once a model is profiled.</source>
   <translation>分析模型开销后，可在此寻找用时间换取内存或通信量的方案。</translation>
  </message>
  <message>
   <source>Plans none of which is the best in time, memory and bytes sent; Enter adopts one</source>
   <translation>在时间、内存和发送字节上互不占优的方案；Enter 采用</translation>
  </message>
  <message>
   <source>Plans that trade time for memory or bytes</source>
   <translation>用时间换取内存或字节的方案</translation>
  </message>
  <message>
   <source>1 line</source>
   <translation>1 行</translation>
  </message>
  <message>
   <source>%1 lines</source>
   <translation>%1 行</translation>
  </message>
  <message>
   <source>⋯ %1 alike</source>
   <translation>⋯ %1 相同</translation>
  </message>
  <message>
   <source>The code of this stage is the same in %1 and %2</source>
   <translation>此阶段的代码在 %1 和 %2 中相同</translation>
  </message>
  <message>
   <source>%1 only in %2 (−), %3 only in %4 (+)</source>
   <translation>仅 %2 有 %1 (−)，仅 %4 有 %3 (+)</translation>
  </message>
  <message>
   <source>Lines of the code that differ</source>
   <translation>有差异的代码行</translation>
  </message>
  <message>
   <source>The code of two plans is compared here once both have some.</source>
   <translation>两个方案都有代码后，在此比较。</translation>
  </message>
  <message>
   <source>Code compared</source>
   <translation>代码比较</translation>
  </message>
  <message>
   <source>%1: the same code</source>
   <translation>%1：代码相同</translation>
  </message>
  <message>
   <source>%1: the code differs</source>
   <translation>%1：代码不同</translation>
  </message>
  <message>
   <source>Python code of the stage</source>
   <translation>该阶段的 Python 代码</translation>
  </message>
  <message>
   <source>the code before</source>
   <translation>之前的代码</translation>
  </message>
  <message>
   <source>the code now</source>
   <translation>现在的代码</translation>
  </message>
  <message>
   <source>1 value</source>
   <translation>1 个值</translation>
  </message>
  <message>
   <source>%1 values</source>
   <translation>%1 个值</translation>
  </message>
  <message>
   <source>  and %1 more</source>
   <translation>  及另外 %1 个</translation>
  </message>
  <message>
   <source>%1 and %2 more</source>
   <translation>%1 及另外 %2 个</translation>
  </message>
  <message>
   <source>Time: %1 forward, %2 backward</source>
   <translation>时间：前向 %1，反向 %2</translation>
  </message>
  <message>
   <source>Makes %1; keeps %2 for the backward pass</source>
   <translation>产出 %1；为反向保留 %2</translation>
  </message>
  <message>
   <source>Values</source>
   <translation>值</translation>
  </message>
  <message>
   <source>Gradient</source>
   <translation>梯度</translation>
  </message>
  <message>
   <source>Takes %1 from the caller</source>
   <translation>从调用方取得 %1</translation>
  </message>
  <message>
   <source>Receives %1 from stage %2</source>
   <translation>从阶段 %2 接收 %1</translation>
  </message>
  <message>
   <source>Returns %1</source>
   <translation>返回 %1</translation>
  </message>
  <message>
   <source>Sends %1 to stage %2</source>
   <translation>向阶段 %2 发送 %1</translation>
  </message>
  <message>
   <source>Copy page</source>
   <translation>复制本页</translation>
  </message>
  <message>
   <source>Save page…</source>
   <translation>保存本页…</translation>
  </message>
  <message>
   <source>Short lines</source>
   <translation>短行</translation>
  </message>
  <message>
   <source>Lines that fit the view; an export writes them as they are without</source>
   <translation>适合视图宽度的行；导出时按原样写出</translation>
  </message>
  <message>
   <source>Fold modules</source>
   <translation>折叠模块</translation>
  </message>
  <message>
   <source>Unfold all</source>
   <translation>全部展开</translation>
  </message>
  <message>
   <source>Code of the stage</source>
   <translation>阶段代码</translation>
  </message>
  <message>
   <source>Differences from before the last move</source>
   <translation>与上次移动前的差异</translation>
  </message>
  <message>
   <source>Source of the model</source>
   <translation>模型源码</translation>
  </message>
  <message>
   <source>Save the page</source>
   <translation>保存本页</translation>
  </message>
  <message>
   <source>Python (*.py)</source>
   <translation>Python (*.py)</translation>
  </message>
  <message>
   <source>Differences (*.diff)</source>
   <translation>差异 (*.diff)</translation>
  </message>
  <message>
   <source>updating</source>
   <translation>正在更新</translation>
  </message>
  <message>
   <source>The code of each stage appears here once the model is split.</source>
   <translation>模型切分后，此处显示每个阶段的代码。</translation>
  </message>
  <message>
   <source>Python code of each stage with the cost of every line</source>
   <translation>每个阶段的 Python 代码及每行开销</translation>
  </message>
  <message>
   <source>cost</source>
   <translation>开销</translation>
  </message>
  <message>
   <source>statistics</source>
   <translation>统计</translation>
  </message>
  <message>
   <source>Beside the lines</source>
   <translation>行旁内容</translation>
  </message>
  <message>
   <source>What stands beside the lines. Cost: the op's time and the bytes it makes. Statistics: the standard deviation of its values (-&gt;) and of their gradient (&lt;-) in a real training step on this machine</source>
   <translation>行旁显示什么。开销：算子的时间及其产出的字节。统计：本机真实训练步骤中其值 (-&gt;) 与梯度 (&lt;-) 的标准差</translation>
  </message>
  <message>
   <source>Copy, save and more</source>
   <translation>复制、保存等</translation>
  </message>
  <message>
   <source>%1 of %2, stage_%3.py when exported</source>
   <translation>%1 / %2，导出为 stage_%3.py</translation>
  </message>
  <message>
   <source>%1:%2 in %3</source>
   <translation>%3 中的 %1:%2</translation>
  </message>
  <message>
   <source>%1, line %2</source>
   <translation>%1，第 %2 行</translation>
  </message>
  <message>
   <source>Line of the source, from the innermost call outwards</source>
   <translation>源码行，由最内层调用向外</translation>
  </message>
  <message>
   <source>Select an op to see the line of the model that it comes from.</source>
   <translation>选择算子以查看它来自模型的哪一行。</translation>
  </message>
  <message>
   <source>The model's file does not say where %1 comes from: it was exported without the lines of its source.</source>
   <translation>模型文件没有说明 %1 的来源：导出时未包含源码行。</translation>
  </message>
  <message>
   <source>
The export wrote down: %1</source>
   <translation>
导出时记录：%1</translation>
  </message>
  <message>
   <source>%1
This file is not on this machine; put a copy beside the model's file to see it.</source>
   <translation>%1
此文件不在本机；把副本放在模型文件旁即可查看。</translation>
  </message>
  <message>
   <source>
The file has changed since the export.</source>
   <translation>
文件在导出后已更改。</translation>
  </message>
  <message>
   <source>This boundary is locked; L unlocks it</source>
   <translation>此边界已锁定；按 L 解锁</translation>
  </message>
  <message>
   <source>This boundary cannot move: what is beside it belongs together</source>
   <translation>此边界无法移动：其两侧的内容必须在一起</translation>
  </message>
  <message>
   <source>%1, %2 elsewhere</source>
   <translation>%1，另有 %2 在别处</translation>
  </message>
  <message>
   <source>Drop it in another stage to send it there</source>
   <translation>放到另一阶段即可移过去</translation>
  </message>
  <message>
   <source>%1 to stage %2</source>
   <translation>%1 移到阶段 %2</translation>
  </message>
  <message>
   <source>%1 would move</source>
   <translation>将移动 %1</translation>
  </message>
  <message>
   <source>, %1 of them must follow</source>
   <translation>，其中 %1 个必须跟随</translation>
  </message>
  <message>
   <source>1 tensor</source>
   <translation>1 个张量</translation>
  </message>
  <message>
   <source>%1 tensors</source>
   <translation>%1 个张量</translation>
  </message>
  <message>
   <source>%1 both ways</source>
   <translation>双向 %1</translation>
  </message>
  <message>
   <source>no tensor</source>
   <translation>无张量</translation>
  </message>
  <message>
   <source>%1 others</source>
   <translation>其他 %1 种</translation>
  </message>
  <message>
   <source>Where the selection is</source>
   <translation>所选内容的位置</translation>
  </message>
  <message>
   <source>Go to this box</source>
   <translation>转到此方框</translation>
  </message>
  <message>
   <source>Selected: %1</source>
   <translation>已选择：%1</translation>
  </message>
  <message>
   <source>Nothing selected</source>
   <translation>未选择任何内容</translation>
  </message>
  <message>
   <source>%1 ops selected</source>
   <translation>已选择 %1 个算子</translation>
  </message>
  <message>
   <source>Overview of the model</source>
   <translation>模型概览</translation>
  </message>
  <message>
   <source>The whole model in the order of running, how long its ops take, and what the graph shows</source>
   <translation>按运行顺序的整个模型、其算子耗时以及图的显示范围</translation>
  </message>
  <message>
   <source>The graph shows ops %1 to %2 of %3</source>
   <translation>图显示第 %1 到 %2 个算子，共 %3 个</translation>
  </message>
  <message>
   <source>Keep the graph where it is</source>
   <translation>保持图的位置</translation>
  </message>
  <message>
   <source>The graph goes to what is selected elsewhere; pressed, it stays where it is</source>
   <translation>图会转到别处所选的内容；按下则保持不动</translation>
  </message>
  <message>
   <source>weights %1</source>
   <translation>权重 %1</translation>
  </message>
  <message>
   <source>kept %1</source>
   <translation>保留 %1</translation>
  </message>
  <message>
   <source>holds %1</source>
   <translation>占用 %1</translation>
  </message>
  <message>
   <source>… if nothing ran again</source>
   <translation>……若无重计算</translation>
  </message>
  <message>
   <source>Run again in backward</source>
   <translation>反向时重计算</translation>
  </message>
  <message>
   <source>Makes</source>
   <translation>产出</translation>
  </message>
  <message>
   <source>Op</source>
   <translation>算子</translation>
  </message>
  <message>
   <source>an input of the model</source>
   <translation>模型的一个输入</translation>
  </message>
  <message>
   <source> and %1 more</source>
   <translation> 及另外 %1 个</translation>
  </message>
  <message>
   <source>Tensor</source>
   <translation>张量</translation>
  </message>
  <message>
   <source>From</source>
   <translation>从</translation>
  </message>
  <message>
   <source>To</source>
   <translation>到</translation>
  </message>
  <message>
   <source>and %1 more values</source>
   <translation>及另外 %1 个值</translation>
  </message>
  <message>
   <source>Edge: %1, %2, %3, from %4 to %5</source>
   <translation>边：%1，%2，%3，从 %4 到 %5</translation>
  </message>
  <message>
   <source>Result</source>
   <translation>结果</translation>
  </message>
  <message>
   <source>Contents</source>
   <translation>内容</translation>
  </message>
  <message>
   <source>Copies</source>
   <translation>副本</translation>
  </message>
  <message>
   <source>%1, equal inside</source>
   <translation>%1 个，内部相同</translation>
  </message>
  <message>
   <source>Used by</source>
   <translation>使用者</translation>
  </message>
  <message>
   <source>&lt;b&gt;Boundary between stage %1 and %2&lt;/b&gt;</source>
   <translation>&lt;b&gt;阶段 %1 与 %2 之间的边界&lt;/b&gt;</translation>
  </message>
  <message>
   <source>Values, down</source>
   <translation>值，向下</translation>
  </message>
  <message>
   <source>Gradients, up</source>
   <translation>梯度，向上</translation>
  </message>
  <message>
   <source>Both ways</source>
   <translation>双向</translation>
  </message>
  <message>
   <source>Link time</source>
   <translation>传输时间</translation>
  </message>
  <message>
   <source>and</source>
   <translation>以及</translation>
  </message>
  <message>
   <source>Laying out the graph ...</source>
   <translation>正在布局图 ...</translation>
  </message>
  <message>
   <source> · %1 of the model, %2</source>
   <translation> · 占模型 %1，%2</translation>
  </message>
  <message>
   <source>Total</source>
   <translation>总计</translation>
  </message>
  <message>
   <source>Forward</source>
   <translation>前向</translation>
  </message>
  <message>
   <source>Backward</source>
   <translation>反向</translation>
  </message>
  <message>
   <source>Of it run again</source>
   <translation>其中重计算</translation>
  </message>
  <message>
   <source>Work</source>
   <translation>计算量</translation>
  </message>
  <message>
   <source>Traffic</source>
   <translation>访存量</translation>
  </message>
  <message>
   <source>While it runs</source>
   <translation>运行期间</translation>
  </message>
  <message>
   <source>Buffers</source>
   <translation>缓冲区</translation>
  </message>
  <message>
   <source>Parts</source>
   <translation>组成</translation>
  </message>
  <message>
   <source> (bias)</source>
   <translation>（偏置）</translation>
  </message>
  <message>
   <source>In a real step</source>
   <translation>在真实步骤中</translation>
  </message>
  <message>
   <source>The first NaN or infinity is made here: all it reads is finite.</source>
   <translation>第一个 NaN 或无穷大在此产生：其全部输入均为有限值。</translation>
  </message>
  <message>
   <source>The first NaN or infinity of the backward pass is made here.</source>
   <translation>反向中第一个 NaN 或无穷大在此产生。</translation>
  </message>
  <message>
   <source>Reads</source>
   <translation>读取</translation>
  </message>
  <message>
   <source>Gives %1</source>
   <translation>输出 %1</translation>
  </message>
  <message>
   <source>Strides</source>
   <translation>步长</translation>
  </message>
  <message>
   <source>Read by</source>
   <translation>读取者</translation>
  </message>
  <message>
   <source>Returned</source>
   <translation>返回</translation>
  </message>
  <message>
   <source>by the model</source>
   <translation>由模型返回</translation>
  </message>
  <message>
   <source>Source</source>
   <translation>来源</translation>
  </message>
  <message>
   <source>selected</source>
   <translation>已选择</translation>
  </message>
  <message>
   <source>and %1 more kinds</source>
   <translation>及另外 %1 种</translation>
  </message>
  <message>
   <source>What is known of the selected operators</source>
   <translation>所选算子的已知信息</translation>
  </message>
  <message>
   <source>Details of the selection</source>
   <translation>所选内容的详情</translation>
  </message>
  <message>
   <source>Select an operator or a module to see what it costs, reads and gives.</source>
   <translation>选择算子或模块以查看其开销、输入和输出。</translation>
  </message>
  <message>
   <source>Copied: %1</source>
   <translation>已复制：%1</translation>
  </message>
  <message>
   <source>found</source>
   <translation>匹配</translation>
  </message>
  <message>
   <source>
Forward %1, backward %2: %3 of the model</source>
   <translation>
前向 %1，反向 %2：占模型 %3</translation>
  </message>
  <message>
   <source>
Keeps %1 for backward, has %2 of parameters</source>
   <translation>
为反向保留 %1，参数 %2</translation>
  </message>
  <message>
   <source>As one, alone: forward %1, backward %2</source>
   <translation>作为整体单独运行：前向 %1，反向 %2</translation>
  </message>
  <message>
   <source>Reads %1, gives %2; takes up to %3 forward, %4 backward</source>
   <translation>读入 %1，给出 %2；前向最多占用 %3，反向 %4</translation>
  </message>
  <message>
   <source>
In B: forward %1, backward %2, keeps %3</source>
   <translation>
B 中：前向 %1，反向 %2，保留 %3</translation>
  </message>
  <message>
   <source>Bytes that are kept from forward for backward</source>
   <translation>从前向为反向保留的字节数</translation>
  </message>
  <message>
   <source>Ops</source>
   <translation>算子数</translation>
  </message>
  <message>
   <source>Open a model to see its modules.</source>
   <translation>打开模型以查看其模块。</translation>
  </message>
  <message>
   <source>Modules and operators; sends them to other stages with the keyboard</source>
   <translation>模块和算子；可用键盘移到其他阶段</translation>
  </message>
  <message>
   <source>Filter by name, class or operator</source>
   <translation>按名称、类或算子筛选</translation>
  </message>
  <message>
   <source>Filter modules</source>
   <translation>筛选模块</translation>
  </message>
  <message>
   <source>Clear the filter</source>
   <translation>清除筛选</translation>
  </message>
  <message>
   <source>Show in the graph</source>
   <translation>在图中显示</translation>
  </message>
  <message>
   <source>Split before it</source>
   <translation>在其前切分</translation>
  </message>
  <message>
   <source>Split after it</source>
   <translation>在其后切分</translation>
  </message>
  <message>
   <source>Send to the previous stage</source>
   <translation>移到前一阶段</translation>
  </message>
  <message>
   <source>Send to the next stage</source>
   <translation>移到后一阶段</translation>
  </message>
  <message>
   <source>Its name in the model</source>
   <translation>它在模型中的名称</translation>
  </message>
  <message>
   <source>What it computes</source>
   <translation>它计算什么</translation>
  </message>
  <message>
   <source>The module that it comes from</source>
   <translation>它所属的模块</translation>
  </message>
  <message>
   <source>The stage that it is in</source>
   <translation>它所在的阶段</translation>
  </message>
  <message>
   <source>Forward and backward</source>
   <translation>前向与反向</translation>
  </message>
  <message>
   <source>Time of the forward pass</source>
   <translation>前向时间</translation>
  </message>
  <message>
   <source>Time of the backward pass</source>
   <translation>反向时间</translation>
  </message>
  <message>
   <source>Made</source>
   <translation>输出</translation>
  </message>
  <message>
   <source>Bytes of its results</source>
   <translation>其结果的字节数</translation>
  </message>
  <message>
   <source>Bytes of the parameters that it is the first to read</source>
   <translation>由它首次读取的参数的字节数</translation>
  </message>
  <message>
   <source>Floating-point operations, forward and backward</source>
   <translation>浮点运算次数，前向与反向</translation>
  </message>
  <message>
   <source>Type and sizes of its first result</source>
   <translation>第一个结果的类型和尺寸</translation>
  </message>
  <message>
   <source>No.</source>
   <translation>序号</translation>
  </message>
  <message>
   <source>In the order in which ops run</source>
   <translation>按算子运行顺序</translation>
  </message>
  <message>
   <source>Open a model to see its operators.</source>
   <translation>打开模型以查看其算子。</translation>
  </message>
  <message>
   <source>Operators listed</source>
   <translation>列出的算子</translation>
  </message>
  <message>
   <source>Sums of what is selected</source>
   <translation>所选内容的合计</translation>
  </message>
  <message>
   <source>All operators with what they cost, or those that are looked for</source>
   <translation>全部或所查找的算子及其开销</translation>
  </message>
  <message>
   <source>%1 of %2 are what you look for</source>
   <translation>%2 个中有 %1 个符合查找</translation>
  </message>
  <message>
   <source>%1; what is typed into Find is listed here alone</source>
   <translation>%1；此处只列出查找框中的内容</translation>
  </message>
  <message>
   <source>%1, of %2: a figure of your own</source>
   <translation>%1，属于 %2：您自己的数值</translation>
  </message>
  <message>
   <source>Commands</source>
   <translation>命令</translation>
  </message>
  <message>
   <source>Type a command, a module, a stage, a setting</source>
   <translation>输入命令、模块、阶段或设置</translation>
  </message>
  <message>
   <source>Command</source>
   <translation>命令</translation>
  </message>
  <message>
   <source>Up and Down choose, Enter does it</source>
   <translation>上下键选择，Enter 执行</translation>
  </message>
  <message>
   <source>Commands that match</source>
   <translation>匹配的命令</translation>
  </message>
  <message>
   <source>Duplicate</source>
   <translation>复制一份</translation>
  </message>
  <message>
   <source>Import…</source>
   <translation>导入…</translation>
  </message>
  <message>
   <source>Delete…</source>
   <translation>删除…</translation>
  </message>
  <message>
   <source>Use for the plan</source>
   <translation>用于方案</translation>
  </message>
  <message>
   <source>Devices</source>
   <translation>设备</translation>
  </message>
  <message>
   <source>A device of your own with these figures, to be changed</source>
   <translation>以这些参数建立可修改的自定义设备</translation>
  </message>
  <message>
   <source>A device file, such as “stagecraft-cli calibrate” writes</source>
   <translation>设备文件，如“stagecraft-cli calibrate”写出的</translation>
  </message>
  <message>
   <source>What is wrong with the device</source>
   <translation>设备的问题</translation>
  </message>
  <message>
   <source>%1 (own)</source>
   <translation>%1（自定义）</translation>
  </message>
  <message>
   <source>It comes with Stagecraft: duplicate it to change figures.</source>
   <translation>它随 Stagecraft 提供：要修改请先复制一份。</translation>
  </message>
  <message>
   <source>Save the changes, or close to drop them.</source>
   <translation>保存更改，或关闭以放弃。</translation>
  </message>
  <message>
   <source>Import a device</source>
   <translation>导入设备</translation>
  </message>
  <message>
   <source>Device files (*.json);;All files (*)</source>
   <translation>设备文件 (*.json);;所有文件 (*)</translation>
  </message>
  <message>
   <source>Delete %1 for good?</source>
   <translation>永久删除 %1？</translation>
  </message>
  <message>
   <source>Drop the changes of the device?</source>
   <translation>放弃对设备的更改？</translation>
  </message>
  <message>
   <source>Output</source>
   <translation>输出</translation>
  </message>
  <message>
   <source>Input gradient</source>
   <translation>输入梯度</translation>
  </message>
  <message>
   <source>Buffer</source>
   <translation>缓冲区</translation>
  </message>
  <message>
   <source>Weight</source>
   <translation>权重</translation>
  </message>
  <message>
   <source>File</source>
   <translation>文件</translation>
  </message>
  <message>
   <source>%1 of %2 tensors differ from the whole model's</source>
   <translation>%2 个张量中有 %1 个与完整模型不同</translation>
  </message>
  <message>
   <source>The stages compute what the whole model computes; largest difference %1, relative %2</source>
   <translation>各阶段的计算结果与完整模型一致；最大差异 %1，相对 %2</translation>
  </message>
  <message>
   <source>Python code and safetensors</source>
   <translation>Python 代码和 safetensors</translation>
  </message>
  <message>
   <source>.pt2 of each stage</source>
   <translation>每个阶段的 .pt2</translation>
  </message>
  <message>
   <source>TorchScript of each stage</source>
   <translation>每个阶段的 TorchScript</translation>
  </message>
  <message>
   <source>Verify afterwards</source>
   <translation>之后验证</translation>
  </message>
  <message>
   <source>Replace the export that is in this folder</source>
   <translation>替换此文件夹中的导出</translation>
  </message>
  <message>
   <source>Files that will be written</source>
   <translation>将写出的文件</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>种类</translation>
  </message>
  <message>
   <source>Difference</source>
   <translation>差异</translation>
  </message>
  <message>
   <source>Relative</source>
   <translation>相对</translation>
  </message>
  <message>
   <source>Comparison with the whole model</source>
   <translation>与完整模型比较</translation>
  </message>
  <message>
   <source>Export</source>
   <translation>导出</translation>
  </message>
  <message>
   <source>Verify</source>
   <translation>验证</translation>
  </message>
  <message>
   <source>Open folder</source>
   <translation>打开文件夹</translation>
  </message>
  <message>
   <source>Export stages</source>
   <translation>导出各阶段</translation>
  </message>
  <message>
   <source>Folder</source>
   <translation>文件夹</translation>
  </message>
  <message>
   <source>Folder to write into; made if it is not there</source>
   <translation>写入的文件夹；不存在则创建</translation>
  </message>
  <message>
   <source>For torch.jit.load(), in C++ too</source>
   <translation>用于 torch.jit.load()，C++ 亦可</translation>
  </message>
  <message>
   <source> GB</source>
   <translation> GB</translation>
  </message>
  <message>
   <source>Weights in one file</source>
   <translation>单个文件中的权重</translation>
  </message>
  <message>
   <source>How much of a stage's weights one .safetensors file has at most; over it there are several, with an index</source>
   <translation>单个 .safetensors 文件最多容纳阶段权重的多少；超出则分为多个并附索引</translation>
  </message>
  <message>
   <source>Runs the stages one after another and compares outputs and gradients with the whole model's: the .pt2 files where there are some, else the code, in Python. TorchScript is not run</source>
   <translation>依次运行各阶段，并与完整模型比较输出和梯度：有 .pt2 文件则用之，否则用 Python 运行代码。不运行 TorchScript</translation>
  </message>
  <message>
   <source>The output that pipeline.py goes back from in a training step</source>
   <translation>pipeline.py 在训练步骤中反向起始的输出</translation>
  </message>
  <message>
   <source>As the model returns it</source>
   <translation>按模型返回</translation>
  </message>
  <message>
   <source>%1 of it and a target</source>
   <translation>其与目标的 %1</translation>
  </message>
  <message>
   <source>Function of the loss</source>
   <translation>损失函数</translation>
  </message>
  <message>
   <source>A function of torch.nn.functional that the output and the target of each step are fed to</source>
   <translation>torch.nn.functional 中的函数，输入为每步的输出和目标</translation>
  </message>
  <message>
   <source>What is exported otherwise than asked</source>
   <translation>与要求不同的导出内容</translation>
  </message>
  <message>
   <source>Choose the folder</source>
   <translation>选择文件夹</translation>
  </message>
  <message>
   <source>of weights in one file at most</source>
   <translation>为单个文件的权重上限</translation>
  </message>
  <message>
   <source>Write</source>
   <translation>写出</translation>
  </message>
  <message>
   <source>Export %1 in %2</source>
   <translation>将 %1 导出为 %2</translation>
  </message>
  <message>
   <source>%1 files, %2</source>
   <translation>%1 个文件，%2</translation>
  </message>
  <message>
   <source>Written to %1</source>
   <translation>已写入 %1</translation>
  </message>
  <message>
   <source>differs</source>
   <translation>不同</translation>
  </message>
  <message>
   <source>within tolerance</source>
   <translation>在容差内</translation>
  </message>
  <message>
   <source>equal</source>
   <translation>相等</translation>
  </message>
  <message>
   <source>%1 tensors compared</source>
   <translation>已比较 %1 个张量</translation>
  </message>
  <message>
   <source>Gradients were not compared: %1</source>
   <translation>未比较梯度：%1</translation>
  </message>
  <message>
   <source>Gradients of inputs were not compared: %1</source>
   <translation>未比较输入的梯度：%1</translation>
  </message>
  <message>
   <source>Folder for the stages</source>
   <translation>各阶段的文件夹</translation>
  </message>
  <message>
   <source>The order of the stages' work: a file for _load_csv() of a schedule of torch.distributed.pipelining</source>
   <translation>各阶段工作的顺序：供 torch.distributed.pipelining 调度的 _load_csv() 使用的文件</translation>
  </message>
  <message>
   <source>Lines of the configuration of a training job (*.toml)</source>
   <translation>训练任务配置的若干行 (*.toml)</translation>
  </message>
  <message>
   <source>Lines of the configuration of a training job (*.toml) with graph_pp</source>
   <translation>训练任务配置的若干行 (*.toml)，使用 graph_pp</translation>
  </message>
  <message>
   <source>Arguments of the training script</source>
   <translation>训练脚本的参数</translation>
  </message>
  <message>
   <source>The layers of a PipelineModule in their order, and where each part begins</source>
   <translation>PipelineModule 的各层顺序及各部分的起点</translation>
  </message>
  <message>
   <source>A list of lists: the names of the modules that each stage runs</source>
   <translation>列表的列表：每个阶段运行的模块名称</translation>
  </message>
  <message>
   <source>Use that plan</source>
   <translation>采用该方案</translation>
  </message>
  <message>
   <source>Copy</source>
   <translation>复制</translation>
  </message>
  <message>
   <source>Save…</source>
   <translation>保存…</translation>
  </message>
  <message>
   <source>The plan for other frameworks</source>
   <translation>供其他框架使用的方案</translation>
  </message>
  <message>
   <source>Framework</source>
   <translation>框架</translation>
  </message>
  <message>
   <source>What is in the way</source>
   <translation>障碍</translation>
  </message>
  <message>
   <source>The plan as it is read there</source>
   <translation>该框架读取的方案</translation>
  </message>
  <message>
   <source>The plan of the window becomes this one; Undo brings the other back</source>
   <translation>窗口中的方案变为此方案；撤销可恢复原方案</translation>
  </message>
  <message>
   <source>For</source>
   <translation>用于</translation>
  </message>
  <message>
   <source>The plan of %1 for other frameworks</source>
   <translation>%1 供其他框架使用的方案</translation>
  </message>
  <message>
   <source>Looking for the nearest plan that can be said there</source>
   <translation>正在寻找该框架可表达的最接近方案</translation>
  </message>
  <message>
   <source>The plan that is open</source>
   <translation>当前打开的方案</translation>
  </message>
  <message>
   <source>The nearest plan, not the one that is open</source>
   <translation>最接近的方案，而非当前打开的</translation>
  </message>
  <message>
   <source>Copied</source>
   <translation>已复制</translation>
  </message>
  <message>
   <source>My own code</source>
   <translation>自己的代码</translation>
  </message>
  <message>
   <source>FILE.py:FUNCTION or MODULE:FUNCTION. The function returns the module, or (module, inputs). This runs your code, in your Python.</source>
   <translation>文件.py:函数 或 模块:函数。函数返回模块，或（模块, 输入）。这会在您的 Python 中运行您的代码。</translation>
  </message>
  <message>
   <source>A model type (gpt2, llama), a class (BertForSequenceClassification), a folder with config.json, or OWNER/NAME of the Hub. No weights are fetched.</source>
   <translation>模型类型（gpt2、llama）、类名（BertForSequenceClassification）、含 config.json 的文件夹，或 Hub 上的 所有者/名称。不下载权重。</translation>
  </message>
  <message>
   <source>A name of timm.list_models(). No weights are fetched.</source>
   <translation>timm.list_models() 中的名称。不下载权重。</translation>
  </message>
  <message>
   <source>A name of torchvision.models.list_models(). No weights are fetched.</source>
   <translation>torchvision.models.list_models() 中的名称。不下载权重。</translation>
  </message>
  <message>
   <source>What Python wrote</source>
   <translation>Python 的输出</translation>
  </message>
  <message>
   <source>Import</source>
   <translation>导入</translation>
  </message>
  <message>
   <source>Import a model from Python</source>
   <translation>从 Python 导入模型</translation>
  </message>
  <message>
   <source>Where the model comes from</source>
   <translation>模型来源</translation>
  </message>
  <message>
   <source>Name of the model</source>
   <translation>模型名称</translation>
  </message>
  <message>
   <source>Python</source>
   <translation>Python</translation>
  </message>
  <message>
   <source>Write to</source>
   <translation>写入</translation>
  </message>
  <message>
   <source>Members of the configuration, or arguments of the function</source>
   <translation>配置的成员，或函数的参数</translation>
  </message>
  <message>
   <source>Sizes that stay open: batch is the first of each input; others are named in the input, as in i64[batch=2,length=128]</source>
   <translation>保持可变的尺寸：batch 是每个输入的第一维；其他尺寸在输入中命名，如 i64[batch=2,length=128]</translation>
  </message>
  <message>
   <source>Training, evaluation where it cannot be traced</source>
   <translation>训练；无法追踪时用推理</translation>
  </message>
  <message>
   <source>Evaluation</source>
   <translation>推理</translation>
  </message>
  <message>
   <source>As usual: none of a library's, its own of my code</source>
   <translation>默认：库模型不带权重，自己的代码保留其权重</translation>
  </message>
  <message>
   <source>None, the structure alone</source>
   <translation>无，仅结构</translation>
  </message>
  <message>
   <source>As the code makes them, however large</source>
   <translation>按代码生成，无论多大</translation>
  </message>
  <message>
   <source>Name</source>
   <translation>名称</translation>
  </message>
  <message>
   <source>Choose a file</source>
   <translation>选择文件</translation>
  </message>
  <message>
   <source>Open sizes</source>
   <translation>可变尺寸</translation>
  </message>
  <message>
   <source>Settings</source>
   <translation>设置</translation>
  </message>
  <message>
   <source>Weights</source>
   <translation>权重</translation>
  </message>
  <message>
   <source>Choose a Python</source>
   <translation>选择 Python</translation>
  </message>
  <message>
   <source>Choose the file to write</source>
   <translation>选择要写入的文件</translation>
  </message>
  <message>
   <source>What became of it</source>
   <translation>结果</translation>
  </message>
  <message>
   <source>Asking which it is…</source>
   <translation>正在询问版本…</translation>
  </message>
  <message>
   <source>Python %1 with PyTorch %2: %3</source>
   <translation>Python %1，PyTorch %2：%3</translation>
  </message>
  <message>
   <source>The file with the model</source>
   <translation>含模型的文件</translation>
  </message>
  <message>
   <source>Python (*.py);;All files (*)</source>
   <translation>Python (*.py);;所有文件 (*)</translation>
  </message>
  <message>
   <source>The Python that has PyTorch</source>
   <translation>装有 PyTorch 的 Python</translation>
  </message>
  <message>
   <source>The file to write</source>
   <translation>要写入的文件</translation>
  </message>
  <message>
   <source>Models (*.pt2)</source>
   <translation>模型 (*.pt2)</translation>
  </message>
  <message>
   <source>The file that is there will be replaced.</source>
   <translation>现有文件将被替换。</translation>
  </message>
  <message>
   <source>Input</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>What the model is called with, in order or by name: f32[8,3,224,224], i64[batch=2,128], (f32[2], f32[2]), none, true, 0.5. Leave it empty where the model's library knows.</source>
   <translation>调用模型的输入，按顺序或按名称：f32[8,3,224,224]、i64[batch=2,128]、(f32[2], f32[2])、none、true、0.5。库已知其输入时可留空。</translation>
  </message>
  <message>
   <source>New model</source>
   <translation>新建模型</translation>
  </message>
  <message>
   <source>A model by its sizes, without weights: profiled, planned and exported as one from a file.</source>
   <translation>按尺寸生成的模型，不含权重：可像文件中的模型一样分析、规划和导出。</translation>
  </message>
  <message>
   <source>Make it</source>
   <translation>生成</translation>
  </message>
  <message>
   <source>Run it</source>
   <translation>运行</translation>
  </message>
  <message>
   <source>Read how</source>
   <translation>阅读说明</translation>
  </message>
  <message>
   <source>Command for a terminal</source>
   <translation>终端命令</translation>
  </message>
  <message>
   <source>Copy the command</source>
   <translation>复制命令</translation>
  </message>
  <message>
   <source>Copy the command, to be pasted into a terminal</source>
   <translation>复制命令以粘贴到终端</translation>
  </message>
  <message>
   <source>Open the README.md of the export: training, checkpoints, several machines</source>
   <translation>打开导出的 README.md：训练、检查点、多机</translation>
  </message>
  <message>
   <source>Go on with what was worked on last</source>
   <translation>继续上次的工作</translation>
  </message>
  <message>
   <source>Preferences</source>
   <translation>首选项</translation>
  </message>
  <message>
   <source>Light</source>
   <translation>浅色</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>深色</translation>
  </message>
  <message>
   <source>Appearance</source>
   <translation>外观</translation>
  </message>
  <message>
   <source>Language and text size hold from the next start on.</source>
   <translation>语言和文字大小在下次启动后生效。</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>主题</translation>
  </message>
  <message>
   <source>Text size</source>
   <translation>文字大小</translation>
  </message>
  <message>
   <source>Memory in GiB (2^30 bytes); speeds, and files that weights are split into, in GB (10^9 bytes), as data sheets and the Hub have them</source>
   <translation>内存以 GiB（2^30 字节）计；速度及权重分片文件以 GB（10^9 字节）计，与数据手册和 Hub 一致</translation>
  </message>
  <message>
   <source>Units</source>
   <translation>单位</translation>
  </message>
  <message>
   <source>How long a search for a plan may compute, which takes up to four times as long on a busy machine; it ends sooner where it has proven that there is no better plan</source>
   <translation>搜索方案可用的计算时间，机器繁忙时最多会延长到四倍；证明没有更好方案时会提前结束</translation>
  </message>
  <message>
   <source>New plans</source>
   <translation>新方案</translation>
  </message>
  <message>
   <source>For the next window, and for this one while no model is open in it. The device is also the one that was chosen last.</source>
   <translation>用于下一个窗口；未打开模型时也用于当前窗口。设备也是最近一次选择的设备。</translation>
  </message>
  <message>
   <source>Search for at most</source>
   <translation>最长搜索时间</translation>
  </message>
  <message>
   <source>that of the environment</source>
   <translation>环境中的 Python</translation>
  </message>
  <message>
   <source>Imports models and runs the stages that are verified; it has PyTorch</source>
   <translation>用于导入模型并运行待验证的阶段；其中须有 PyTorch</translation>
  </message>
  <message>
   <source>At a start</source>
   <translation>启动时</translation>
  </message>
  <message>
   <source>Find a published model</source>
   <translation>查找已发布的模型</translation>
  </message>
  <message>
   <source>Program of the file</source>
   <translation>文件中的程序</translation>
  </message>
  <message>
   <source>Programs</source>
   <translation>程序</translation>
  </message>
  <message>
   <source>Open</source>
   <translation>打开</translation>
  </message>
  <message>
   <source>%1 holds several programs. Which is to be opened? This is kept for the next time.</source>
   <translation>%1 包含多个程序。要打开哪一个？下次会沿用此选择。</translation>
  </message>
  <message>
   <source>%1, may be left out</source>
   <translation>%1，可以省略</translation>
  </message>
  <message>
   <source>Inputs of the script</source>
   <translation>脚本的输入</translation>
  </message>
  <message>
   <source>f32[8,3,224,224], i64[2,128], true, 0.5, "text", none, lists [...], tuples (...), dicts {"key": ...}</source>
   <translation>f32[8,3,224,224]、i64[2,128]、true、0.5、"text"、none、列表 [...]、元组 (...)、字典 {"key": ...}</translation>
  </message>
  <message>
   <source>%1 keeps the inputs that it was traced with. Leave all fields empty to take these, or give others.</source>
   <translation>%1 保存了跟踪时使用的输入。将所有字段留空即使用它们，或者给出其他输入。</translation>
  </message>
  <message>
   <source>%1 is TorchScript and does not say the sizes of its inputs. Say what forward() is called with; this is kept for the next time.</source>
   <translation>%1 是 TorchScript，没有说明其输入的大小。请说明 forward() 的调用参数；下次会沿用。</translation>
  </message>
  <message>
   <source>Random</source>
   <translation>随机</translation>
  </message>
  <message>
   <source>Those that the model was exported with</source>
   <translation>导出模型时所用的</translation>
  </message>
  <message>
   <source>From a file (.safetensors), by the names of the inputs</source>
   <translation>来自文件 (.safetensors)，按输入名称</translation>
  </message>
  <message>
   <source>Choose…</source>
   <translation>选择…</translation>
  </message>
  <message>
   <source>Statistics of a real step</source>
   <translation>真实步骤的统计</translation>
  </message>
  <message>
   <source>Runs a forward and a backward pass of the whole model on this machine. The spread, mean, largest value, zeros and NaN of every tensor and gradient then stand beside the lines of the code.</source>
   <translation>在本机对完整模型运行一次前向和反向。之后代码行旁会显示每个张量和梯度的分布、均值、最大值、零值和 NaN。</translation>
  </message>
  <message>
   <source>File of inputs</source>
   <translation>输入文件</translation>
  </message>
  <message>
   <source>Run</source>
   <translation>运行</translation>
  </message>
  <message>
   <source>Of all that is random: inputs, dropout, weights that the file does not have</source>
   <translation>用于一切随机内容：输入、dropout、文件中没有的权重</translation>
  </message>
  <message>
   <source>The model's file does not have them</source>
   <translation>模型文件中没有</translation>
  </message>
  <message>
   <source>Inputs of the model</source>
   <translation>模型输入</translation>
  </message>
  <message>
   <source>Tensors (*.safetensors);;All files (*)</source>
   <translation>张量 (*.safetensors);;所有文件 (*)</translation>
  </message>
  <message>
   <source>Its bytes alone</source>
   <translation>仅按其字节</translation>
  </message>
  <message>
   <source>An operation for each element</source>
   <translation>每个元素一次运算</translation>
  </message>
  <message>
   <source>A matrix product</source>
   <translation>一次矩阵乘法</translation>
  </message>
  <message>
   <source>Attention</source>
   <translation>注意力</translation>
  </message>
  <message>
   <source>Formulas of your own</source>
   <translation>自定公式</translation>
  </message>
  <message>
   <source>Costs of a file, as --substitutes of the command line takes it</source>
   <translation>来自文件的开销，与命令行 --substitutes 所用相同</translation>
  </message>
  <message>
   <source>Save as…</source>
   <translation>另存为…</translation>
  </message>
  <message>
   <source>These costs as a file for --substitutes</source>
   <translation>将这些开销存为供 --substitutes 使用的文件</translation>
  </message>
  <message>
   <source>Load library…</source>
   <translation>加载库…</translation>
  </message>
  <message>
   <source>A library that defines the operators for PyTorch's C++: its code runs</source>
   <translation>为 PyTorch 的 C++ 定义这些算子的库：其代码会运行</translation>
  </message>
  <message>
   <source>Operators that are not known here count by the bytes that they read and write. Say what they compute, and time and plan follow; every figure says that it is yours.</source>
   <translation>此处未知的算子按其读写的字节计算。说明它们计算什么，时间与方案随之变化；每个数字都会注明来自您。</translation>
  </message>
  <message>
   <source>Names for formulas, of the first of these operators</source>
   <translation>公式可用的名称，取自这些算子中的第一个</translation>
  </message>
  <message>
   <source>Costs</source>
   <translation>开销</translation>
  </message>
  <message>
   <source>Backward to inputs</source>
   <translation>对输入反向</translation>
  </message>
  <message>
   <source>Backward to weights</source>
   <translation>对权重反向</translation>
  </message>
  <message>
   <source>FLOPs</source>
   <translation>FLOPs</translation>
  </message>
  <message>
   <source>Seconds</source>
   <translation>秒</translation>
  </message>
  <message>
   <source>counted</source>
   <translation>按张量</translation>
  </message>
  <message>
   <source>numel(x), size(x, -1), dim(x), bytes(x), itemsize(x); + - * / // % **; min, max, ceil, floor, sqrt, log2</source>
   <translation>numel(x), size(x, -1), dim(x), bytes(x), itemsize(x); + - * / // % **; min, max, ceil, floor, sqrt, log2</translation>
  </message>
  <message>
   <source>Costs of operators (*.json);;All files (*)</source>
   <translation>算子的开销 (*.json);;所有文件 (*)</translation>
  </message>
  <message>
   <source>A library of operators, whose code runs</source>
   <translation>算子库，其代码会运行</translation>
  </message>
  <message>
   <source>Libraries (*.so);;All files (*)</source>
   <translation>库 (*.so);;所有文件 (*)</translation>
  </message>
  <message>
   <source>All operators of this model are known.</source>
   <translation>该模型的所有算子均已知。</translation>
  </message>
  <message>
   <source>One of them: forward %1; backward %2</source>
   <translation>其中一个：前向 %1；反向 %2</translation>
  </message>
  <message>
   <source>its bytes</source>
   <translation>其字节</translation>
  </message>
  <message>
   <source>Measure each op and each stage on the machine that the model will run on: its PyTorch runs the model and writes times.json.</source>
   <translation>在模型将要运行的机器上测量每个算子和每个阶段：该机器的 PyTorch 运行模型并写出 times.json。</translation>
  </message>
  <message>
   <source>On another machine, take along measure_model.py, the model and the plan.</source>
   <translation>在另一台机器上，请带上 measure_model.py、模型和方案。</translation>
  </message>
  <message>
   <source>Then read that file, or another: a CSV or JSON with a time for each op, or a trace of torch.profiler.</source>
   <translation>然后读取该文件或其他文件：含每个算子时间的 CSV 或 JSON，或 torch.profiler 的跟踪。</translation>
  </message>
  <message>
   <source>Choose File…</source>
   <translation>选择文件…</translation>
  </message>
  <message>
   <source>Back</source>
   <translation>上一步</translation>
  </message>
  <message>
   <source>Skip the tour</source>
   <translation>跳过导览</translation>
  </message>
  <message>
   <source>Tour</source>
   <translation>导览</translation>
  </message>
  <message>
   <source>Done</source>
   <translation>完成</translation>
  </message>
  <message>
   <source>Next</source>
   <translation>下一步</translation>
  </message>
  <message>
   <source>Continue where you left off</source>
   <translation>继续上次的工作</translation>
  </message>
  <message>
   <source>Models that you open are listed here.</source>
   <translation>您打开的模型会列在这里。</translation>
  </message>
  <message>
   <source>Welcome</source>
   <translation>欢迎</translation>
  </message>
  <message>
   <source>Drop a PyTorch model here</source>
   <translation>把 PyTorch 模型拖到这里</translation>
  </message>
  <message>
   <source>See where its memory and time go, drag the pipeline-stage boundaries, export stages that run.</source>
   <translation>查看内存和时间的去向，拖动流水线阶段的边界，导出可运行的阶段。</translation>
  </message>
  <message>
   <source>Open a model</source>
   <translation>打开模型</translation>
  </message>
  <message>
   <source>A .pt2 of torch.export, a scripted or traced .pt, or a plan</source>
   <translation>torch.export 的 .pt2、TorchScript 的 .pt 或计划</translation>
  </message>
  <message>
   <source>New model…</source>
   <translation>新建模型…</translation>
  </message>
  <message>
   <source>A model by its sizes: Llama, GPT, and others</source>
   <translation>按尺寸生成的模型：Llama、GPT 等</translation>
  </message>
  <message>
   <source>Examples</source>
   <translation>示例</translation>
  </message>
  <message>
   <source>Recent</source>
   <translation>最近</translation>
  </message>
  <message>
   <source>Copy the export code</source>
   <translation>复制导出代码</translation>
  </message>
  <message>
   <source>Python code that exports a model</source>
   <translation>导出模型的 Python 代码</translation>
  </message>
  <message>
   <source>Export your own model</source>
   <translation>导出您自己的模型</translation>
  </message>
  <message>
   <source>Open %1</source>
   <translation>打开 %1</translation>
  </message>
  <message>
   <source>%1 is not there any more</source>
   <translation>%1 已不存在</translation>
  </message>
  <message>
   <source>Go on with %1</source>
   <translation>继续 %1</translation>
  </message>
  <message>
   <source>Open the example %1</source>
   <translation>打开示例 %1</translation>
  </message>
  <message>
   <source>Advice</source>
   <translation>建议</translation>
  </message>
  <message>
   <source>Why the slowest stage is slow, and the changes that would help</source>
   <translation>最慢阶段为何慢，以及有帮助的改动</translation>
  </message>
  <message>
   <source>What would help</source>
   <translation>可改善的方法</translation>
  </message>
  <message>
   <source>Nothing tried would help.</source>
   <translation>尝试过的都无帮助。</translation>
  </message>
  <message>
   <source>Looking for reasons and remedies</source>
   <translation>正在寻找原因和对策</translation>
  </message>
  <message>
   <source>show %1</source>
   <translation>显示 %1</translation>
  </message>
  <message>
   <source>Apply</source>
   <translation>应用</translation>
  </message>
  <message>
   <source>Apply: %1</source>
   <translation>应用：%1</translation>
  </message>
  <message>
   <source>Change the plan so; it can be undone</source>
   <translation>这样修改方案；可撤销</translation>
  </message>
  <message>
   <source>As chosen by hand</source>
   <translation>按手动选择</translation>
  </message>
  <message>
   <source>%1 instead of %2</source>
   <translation>%1，原为 %2</translation>
  </message>
  <message>
   <source>the same cuts</source>
   <translation>切分相同</translation>
  </message>
  <message>
   <source>%1 in other stages</source>
   <translation>%1 在其他阶段</translation>
  </message>
  <message>
   <source>Comparison</source>
   <translation>比较</translation>
  </message>
  <message>
   <source>The plan that is kept as B</source>
   <translation>保留为 B 的方案</translation>
  </message>
  <message>
   <source>A against B</source>
   <translation>A 与 B</translation>
  </message>
  <message>
   <source>Swap</source>
   <translation>交换</translation>
  </message>
  <message>
   <source>Swap A and B: what is kept becomes the plan, and the plan is kept</source>
   <translation>交换 A 与 B：保留的成为方案，方案被保留</translation>
  </message>
  <message>
   <source>Drop B: compare no longer</source>
   <translation>放弃 B：不再比较</translation>
  </message>
  <message>
   <source>A has no figures yet.</source>
   <translation>A 还没有数据。</translation>
  </message>
  <message>
   <source>A against B: %1</source>
   <translation>A 与 B 相比：%1</translation>
  </message>
  <message>
   <source>Locked boundaries</source>
   <translation>锁定的边界</translation>
  </message>
  <message>
   <source>Pinned ops</source>
   <translation>固定的算子</translation>
  </message>
  <message>
   <source>Kept together</source>
   <translation>保持在一起</translation>
  </message>
  <message>
   <source>Never sent</source>
   <translation>从不发送</translation>
  </message>
  <message>
   <source>Memory limits</source>
   <translation>内存上限</translation>
  </message>
  <message>
   <source>%1 to %2</source>
   <translation>%1 至 %2</translation>
  </message>
  <message>
   <source>every device</source>
   <translation>每台设备</translation>
  </message>
  <message>
   <source>held by %1</source>
   <translation>由 %1 固定</translation>
  </message>
  <message>
   <source>stays with %1</source>
   <translation>与 %1 在一起</translation>
  </message>
  <message>
   <source>None. The menu of an op, a module or a boundary in the graph locks, pins and keeps together.</source>
   <translation>无。可在图中算子、模块或边界的菜单里锁定、固定或保持在一起。</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>删除</translation>
  </message>
  <message>
   <source>Constraints in force</source>
   <translation>生效的约束</translation>
  </message>
  <message>
   <source>Constraint</source>
   <translation>约束</translation>
  </message>
  <message>
   <source>What it says</source>
   <translation>约束内容</translation>
  </message>
  <message>
   <source>Delete what is chosen here (Delete): it no longer holds, and one undo brings it back</source>
   <translation>删除此处所选 (Delete)：不再生效，撤销一次即可恢复</translation>
  </message>
  <message>
   <source>The most that its matrix units do, without sparsity</source>
   <translation>其矩阵单元的最高性能，不含稀疏</translation>
  </message>
  <message>
   <source>What a program sees of it, such as 80 GiB</source>
   <translation>程序可见的容量，如 80 GiB</translation>
  </message>
  <message>
   <source>Driver's memory</source>
   <translation>驱动占用内存</translation>
  </message>
  <message>
   <source>What the driver and its libraries take before the first tensor</source>
   <translation>驱动及其库在第一个张量之前占用的内存</translation>
  </message>
  <message>
   <source>Memory bandwidth</source>
   <translation>内存带宽</translation>
  </message>
  <message>
   <source>To its own memory, such as 3.35 TB/s</source>
   <translation>到自身内存，如 3.35 TB/s</translation>
  </message>
  <message>
   <source>Link bandwidth</source>
   <translation>互连带宽</translation>
  </message>
  <message>
   <source>To the next device, one direction, such as 25 GB/s or 200 Gbit/s</source>
   <translation>到下一台设备，单向，如 25 GB/s 或 200 Gbit/s</translation>
  </message>
  <message>
   <source>Link latency</source>
   <translation>互连延迟</translation>
  </message>
  <message>
   <source>Of each message, such as 5 us</source>
   <translation>每条消息，如 5 us</translation>
  </message>
  <message>
   <source>Launch of a kernel</source>
   <translation>内核启动</translation>
  </message>
  <message>
   <source>From the start of the shortest to the next</source>
   <translation>从最短内核的启动到下一个</translation>
  </message>
  <message>
   <source>Dispatch of an operator</source>
   <translation>算子派发</translation>
  </message>
  <message>
   <source>What the program takes to hand it over; empty: nothing</source>
   <translation>程序派发所需时间；留空：无</translation>
  </message>
  <message>
   <source>Dispatch, backward</source>
   <translation>反向派发</translation>
  </message>
  <message>
   <source>The same in a backward pass, which no Python hands over; empty: as forward</source>
   <translation>反向传播中的派发时间（不经 Python）；留空：与前向相同</translation>
  </message>
  <message>
   <source>Dispatch of a view</source>
   <translation>视图的派发时间</translation>
  </message>
  <message>
   <source>Of what launches no kernel; empty: as of an operator</source>
   <translation>不启动内核的操作；留空：与算子相同</translation>
  </message>
  <message>
   <source>Dispatch of a view, backward</source>
   <translation>视图的派发时间（反向）</translation>
  </message>
  <message>
   <source>The same in a backward pass; empty: as forward</source>
   <translation>反向传播中的相同时间；留空：与前向相同</translation>
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
   <translation>cuDNN 舍入的 float32 卷积；留空：不舍入</translation>
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
   <translation>逐元素</translation>
  </message>
  <message>
   <source>What it does outside its matrix units, in float32</source>
   <translation>矩阵单元之外的性能，float32</translation>
  </message>
  <message>
   <source>GPU with CUDA</source>
   <translation>CUDA GPU</translation>
  </message>
  <message>
   <source>CPU</source>
   <translation>CPU</translation>
  </message>
  <message>
   <source>Compute capability</source>
   <translation>计算能力</translation>
  </message>
  <message>
   <source>Peak, %1</source>
   <translation>峰值，%1</translation>
  </message>
  <message>
   <source>Share of the peak reached</source>
   <translation>达到峰值的比例</translation>
  </message>
  <message>
   <source>By matrix products that have no curve of their own</source>
   <translation>没有自身曲线的矩阵乘</translation>
  </message>
  <message>
   <source>Share of the bandwidth reached</source>
   <translation>达到带宽的比例</translation>
  </message>
  <message>
   <source>What else the device file has</source>
   <translation>设备文件中的其他内容</translation>
  </message>
  <message>
   <source>Efficiency curves of %1 classes of operators scale these figures.</source>
   <translation>%1 类算子的效率曲线会缩放这些参数。</translation>
  </message>
  <message>
   <source>Measured times of %1 operators go before them.</source>
   <translation>%1 个算子的实测时间优先于它们。</translation>
  </message>
  <message>
   <source>Family</source>
   <translation>系列</translation>
  </message>
  <message>
   <source>Published model</source>
   <translation>已发布的模型</translation>
  </message>
  <message>
   <source>Published</source>
   <translation>已发布</translation>
  </message>
  <message>
   <source>Own sizes</source>
   <translation>自定义尺寸</translation>
  </message>
  <message>
   <source>In the order in which they were made; a star keeps a plan</source>
   <translation>按产生顺序；星标可保留方案</translation>
  </message>
  <message>
   <source>Differences are to B, where there is one</source>
   <translation>有 B 时差异相对于 B</translation>
  </message>
  <message>
   <source>How far it can be from the best that was asked for</source>
   <translation>与所求最优的最大差距</translation>
  </message>
  <message>
   <source>Stages, and the devices they run on</source>
   <translation>阶段及其运行的设备</translation>
  </message>
  <message>
   <source>Made for</source>
   <translation>适用条件</translation>
  </message>
  <message>
   <source>How</source>
   <translation>来历</translation>
  </message>
  <message>
   <source>How it arose</source>
   <translation>如何产生</translation>
  </message>
  <message>
   <source>When</source>
   <translation>时间</translation>
  </message>
  <message>
   <source>When it was made</source>
   <translation>产生时间</translation>
  </message>
  <message>
   <source>Every plan that you try is listed here, to go back to and to compare with.</source>
   <translation>您尝试的每个方案都列在这里，可返回和比较。</translation>
  </message>
  <message>
   <source>All plans that were tried; Enter goes back to one</source>
   <translation>所有尝试过的方案；Enter 返回某个方案</translation>
  </message>
  <message>
   <source>Plans that were tried</source>
   <translation>尝试过的方案</translation>
  </message>
  <message>
   <source>Go back to it</source>
   <translation>返回该方案</translation>
  </message>
  <message>
   <source>Make it the plan again: one step of undo (Enter)</source>
   <translation>重新设为当前方案：可一步撤销 (Enter)</translation>
  </message>
  <message>
   <source>★ Star</source>
   <translation>★ 星标</translation>
  </message>
  <message>
   <source>Keep it, or no longer (*)</source>
   <translation>保留或取消保留 (*)</translation>
  </message>
  <message>
   <source>Keep as B</source>
   <translation>保留为 B</translation>
  </message>
  <message>
   <source>Compare the plan with it (B)</source>
   <translation>与该方案比较 (B)</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>移除</translation>
  </message>
  <message>
   <source>Take it out of the list (Delete)</source>
   <translation>从列表移除 (Delete)</translation>
  </message>
  <message>
   <source>☆ Take the star off</source>
   <translation>☆ 取消星标</translation>
  </message>
  <message>
   <source>Output '%1'</source>
   <translation>输出“%1”</translation>
  </message>
  <message>
   <source>Sum of output '%1'</source>
   <translation>输出“%1”之和</translation>
  </message>
  <message>
   <source>Sum of all outputs (tests the stages, trains nothing)</source>
   <translation>所有输出之和（检验阶段，不作训练）</translation>
  </message>
  <message>
   <source>None: no output needs a gradient</source>
   <translation>无：没有需要梯度的输出</translation>
  </message>
  <message>
   <source>Choose the output that is the loss</source>
   <translation>请选择作为损失的输出</translation>
  </message>
  <message>
   <source>The only output with dimensions</source>
   <translation>唯一带维度的输出</translation>
  </message>
  <message>
   <source>More options</source>
   <translation>更多选项</translation>
  </message>
  <message>
   <source>The optimizer works on float32 copies of lower-precision parameters</source>
   <translation>优化器使用低精度参数的 float32 副本</translation>
  </message>
  <message>
   <source>The output that a training step goes back from</source>
   <translation>训练步骤反向起始的输出</translation>
  </message>
  <message>
   <source>all</source>
   <translation>全部</translation>
  </message>
  <message>
   <source>Devices and links by stage</source>
   <translation>各阶段的设备与互连</translation>
  </message>
  <message>
   <source>Put stages on</source>
   <translation>把阶段放到</translation>
  </message>
  <message>
   <source>The chosen stages run on another kind of device: its speed with this model, its memory and its link are filled in</source>
   <translation>所选阶段改用另一种设备：自动填入它运行此模型的速度、内存和互连</translation>
  </message>
  <message>
   <source>What is wrong with the last entry</source>
   <translation>上次输入的问题</translation>
  </message>
  <message>
   <source>What each stage runs on</source>
   <translation>每个阶段的运行环境</translation>
  </message>
  <message>
   <source>Speed</source>
   <translation>速度</translation>
  </message>
  <message>
   <source>Limit</source>
   <translation>上限</translation>
  </message>
  <message>
   <source>Link</source>
   <translation>互连</translation>
  </message>
  <message>
   <source>Latency</source>
   <translation>延迟</translation>
  </message>
  <message>
   <source>What the stage runs on; select stages and put them on another kind below</source>
   <translation>该阶段运行的设备；选择阶段后在下方改用另一种设备</translation>
  </message>
  <message>
   <source>Of its device, that of the plan being 1</source>
   <translation>其设备的速度，方案设备为 1</translation>
  </message>
  <message>
   <source>The most that its device may hold, such as 30 GiB</source>
   <translation>其设备最多可占用的内存，如 30 GiB</translation>
  </message>
  <message>
   <source>To the next stage, one direction, such as 25 GB/s</source>
   <translation>到下一阶段，单向，如 25 GB/s</translation>
  </message>
  <message>
   <source>Stages share devices: all are alike</source>
   <translation>阶段共用设备：全部相同</translation>
  </message>
  <message>
   <source>Longest:</source>
   <translation>最长：</translation>
  </message>
  <message>
   <source>%1 over %2|%3 %4</source>
   <translation>%1 经 %2|%3 %4</translation>
  </message>
  <message>
   <source>Crossing:</source>
   <translation>跨边界：</translation>
  </message>
  <message>
   <source>Run it by another schedule: %1</source>
   <translation>改用其他调度：%1</translation>
  </message>
  <message>
   <source>slowest</source>
   <translation>最慢</translation>
  </message>
  <message>
   <source>step</source>
   <translation>步骤</translation>
  </message>
  <message>
   <source>still over the memory limit</source>
   <translation>仍超出内存上限</translation>
  </message>
  <message>
   <source>keeps within the memory limit</source>
   <translation>在内存上限之内</translation>
  </message>
  <message>
   <source>The type in which the step computes: that of the file, another for everything, or under autocast a lower one where that is safe</source>
   <translation>步骤计算所用的类型：文件中的类型、全部改用另一类型，或在 autocast 下对安全部分使用较低精度</translation>
  </message>
  <message>
   <source>In which order a device runs the forward and backward of its microbatches. Where a device runs several stages, another schedule keeps the devices, and the number of stages follows</source>
   <translation>设备运行其微批次前向和反向的顺序。一台设备运行多个阶段时，更换调度会保持设备数，阶段数随之改变</translation>
  </message>
  <message>
   <source>What becomes of the boundaries when another choice here leaves their number as it is: they stay, and the figures follow; or the best split for the new choice is searched for</source>
   <translation>当其他选择不改变边界数时如何处理边界：保持不动并更新数据；或为新选择搜索最佳切分</translation>
  </message>
  <message>
   <source>How many stages the model is cut into: devices × stages per device</source>
   <translation>模型切分成多少阶段：设备数 × 每设备阶段数</translation>
  </message>
  <message>
   <source>How many devices the stages run on</source>
   <translation>各阶段在多少台设备上运行</translation>
  </message>
  <message>
   <source>How a value reaches a stage that is not the next one. What is exported hands it on from stage to stage, whatever is chosen here</source>
   <translation>值如何到达非相邻阶段。无论此处如何选择，导出的代码都逐阶段传递</translation>
  </message>
  <message>
   <source>The most that a device may hold, such as 24 GiB; empty: what it has beside its driver</source>
   <translation>设备最多可占用的内存，如 24 GiB；留空：除驱动外的全部</translation>
  </message>
  <message>
   <source>What a search makes as short as it can: computing, receiving and sending of the slowest device; its computing alone; the longest of the three, where transfers run beside the computing; or the simulated time of a whole step</source>
   <translation>搜索尽量缩短什么：最慢设备的计算、接收和发送之和；仅其计算；传输与计算并行时三者中最长者；或整个步骤的模拟时间</translation>
  </message>
  <message>
   <source>How many stages each device runs in turn; the devices stay, and the number of stages follows</source>
   <translation>每台设备轮流运行多少阶段；设备数不变，阶段数随之改变</translation>
  </message>
  <message>
   <source>Stages on devices</source>
   <translation>设备上的阶段</translation>
  </message>
  <message>
   <source>What is wrong with the schedule</source>
   <translation>调度的问题</translation>
  </message>
  <message>
   <source>What the figures of the plan leave out</source>
   <translation>方案数据未计入的内容</translation>
  </message>
  <message>
   <source>Keep the boundaries</source>
   <translation>保持边界</translation>
  </message>
  <message>
   <source>Split again</source>
   <translation>重新切分</translation>
  </message>
  <message>
   <source>Sizes</source>
   <translation>尺寸</translation>
  </message>
  <message>
   <source>Show more options</source>
   <translation>显示更多选项</translation>
  </message>
  <message>
   <source>After a change</source>
   <translation>更改之后</translation>
  </message>
  <message>
   <source>Edit…</source>
   <translation>编辑…</translation>
  </message>
  <message>
   <source>Look at devices, make and change one's own, import a device file</source>
   <translation>查看设备、新建和修改自定义设备、导入设备文件</translation>
  </message>
  <message>
   <source>Splitting</source>
   <translation>正在切分</translation>
  </message>
  <message>
   <source>%1. Until then no change here takes effect.</source>
   <translation>%1。在此之前，这里的更改不会生效。</translation>
  </message>
  <message>
   <source>%1, %2 GB/s memory, %3 GB/s link</source>
   <translation>%1，内存 %2 GB/s，互连 %3 GB/s</translation>
  </message>
  <message>
   <source>by stage</source>
   <translation>按阶段</translation>
  </message>
  <message>
   <source>is</source>
   <translation>等于</translation>
  </message>
  <message>
   <source>is at most</source>
   <translation>至多为</translation>
  </message>
  <message>
   <source>%1: exactly or at most</source>
   <translation>%1：精确或至多</translation>
  </message>
  <message>
   <source>Figures from an upper bound are no more than upper bounds themselves</source>
   <translation>由上界得出的数据本身也只是上界</translation>
  </message>
  <message>
   <source>at most %1</source>
   <translation>最多 %1</translation>
  </message>
  <message>
   <source>not given</source>
   <translation>未给出</translation>
  </message>
  <message>
   <source>The size %1 of the model: what the data are decides it; without a value it counts as the most that it can be</source>
   <translation>模型的尺寸 %1：由数据决定；不给值时按可能的最大值计算</translation>
  </message>
  <message>
   <source>The size %1 of the model: what the data are decides it, so a typical value has to be given</source>
   <translation>模型的尺寸 %1：由数据决定，因此需要给出典型值</translation>
  </message>
  <message>
   <source>The size %1 of the model, exported with %2</source>
   <translation>模型的尺寸 %1，导出时为 %2</translation>
  </message>
  <message>
   <source>The stage, in pipeline order</source>
   <translation>阶段，按流水线顺序</translation>
  </message>
  <message>
   <source>Compute, receive and send for one microbatch, as the objective counts them. Ops in the graph take what they take in a step of the whole model; a stage hands its own to its device by itself, and adds gradients to those of the microbatches before</source>
   <translation>一个微批次的计算、接收和发送，按目标的计法。图中各算子所示为整个模型一步中的耗时；而各阶段自行向其设备下发算子，并将梯度累加到之前微批次的梯度上</translation>
  </message>
  <message>
   <source>Peak</source>
   <translation>峰值</translation>
  </message>
  <message>
   <source>The most that the stage holds at once, against the limit of its device</source>
   <translation>该阶段同时占用的最大值，相对其设备上限</translation>
  </message>
  <message>
   <source>Idle</source>
   <translation>空闲</translation>
  </message>
  <message>
   <source>The share of a step in which the stage's device computes nothing: it waits, or is held up by transfers. The mean of all devices is the bubble</source>
   <translation>步骤中该阶段的设备不计算的比例：它在等待，或被传输阻塞。所有设备的平均值即为空泡</translation>
  </message>
  <message>
   <source>Activations down and gradients up, for one microbatch</source>
   <translation>一个微批次向下的激活和向上的梯度</translation>
  </message>
  <message>
   <source>Received</source>
   <translation>接收</translation>
  </message>
  <message>
   <source>Activations from above and gradients from below, for one microbatch</source>
   <translation>一个微批次来自上方的激活和来自下方的梯度</translation>
  </message>
  <message>
   <source>Forward compute for one microbatch</source>
   <translation>一个微批次的前向计算</translation>
  </message>
  <message>
   <source>Backward compute for one microbatch</source>
   <translation>一个微批次的反向计算</translation>
  </message>
  <message>
   <source>Run again</source>
   <translation>重计算</translation>
  </message>
  <message>
   <source>Of the backward pass: forward passes that are run again instead of having all of them kept (Recompute, in the plan's options)</source>
   <translation>反向中的一部分：重新运行的前向，而非全部保留（方案选项中的“重计算”）</translation>
  </message>
  <message>
   <source>Activations kept from forward to backward, of all microbatches in flight</source>
   <translation>从前向保留到反向的激活，含所有在途微批次</translation>
  </message>
  <message>
   <source>Not kept</source>
   <translation>未保留</translation>
  </message>
  <message>
   <source>What it would keep besides, of all microbatches in flight, if nothing were run again</source>
   <translation>若无重计算还需保留的内容，含所有在途微批次</translation>
  </message>
  <message>
   <source>Of its peak, what the run-time of the pipeline holds (Run-time, in the plan's options)</source>
   <translation>其峰值中由流水线运行时占用的部分（计划选项中的“运行时”）</translation>
  </message>
  <message>
   <source>Bytes of the parameters themselves</source>
   <translation>参数本身的字节数</translation>
  </message>
  <message>
   <source>In flight</source>
   <translation>在途</translation>
  </message>
  <message>
   <source>Microbatches whose activations it keeps at once, by schedule and position</source>
   <translation>同时保留激活的微批次数，由调度和位置决定</translation>
  </message>
  <message>
   <source>Operators in the stage</source>
   <translation>该阶段的算子</translation>
  </message>
  <message>
   <source>
Device %1 runs %2: %3 for one microbatch, holds %4 at once, idle %5</source>
   <translation>
设备 %1 运行%2：一个微批次 %3，同时占用 %4，空闲 %5</translation>
  </message>
  <message>
   <source>
%1 over the limit of %2</source>
   <translation>
超出上限 %2 达 %1</translation>
  </message>
  <message>
   <source>State (parameters, gradients, optimizer) %1
Activations %2 for each of %3 microbatches in flight
While one op runs %4</source>
   <translation>状态（参数、梯度、优化器）%1
激活：每个微批次 %2，在途 %3 个
单个算子运行期间 %4</translation>
  </message>
  <message>
   <source>
Gradients between the two parts of backward %1</source>
   <translation>
反向传播两部分之间的梯度 %1</translation>
  </message>
  <message>
   <source>
Let go between these parts %1</source>
   <translation>
两部分之间已释放 %1</translation>
  </message>
  <message>
   <source>
Buffers of the run-time %1</source>
   <translation>
运行时的缓冲区 %1</translation>
  </message>
  <message>
   <source>
Fits into %1</source>
   <translation>
可放入 %1</translation>
  </message>
  <message>
   <source>Its time is all three together</source>
   <translation>其时间为三者之和</translation>
  </message>
  <message>
   <source>Its time is computing alone: that is what the plan is searched for</source>
   <translation>其时间仅为计算：方案按此搜索</translation>
  </message>
  <message>
   <source>Its time is the longest of the three: transfers run beside the computing</source>
   <translation>其时间为三者中最长者：传输与计算并行</translation>
  </message>
  <message>
   <source>Compute %1, receive %2, send %3, for one microbatch
%4
The tick is the average of all stages</source>
   <translation>一个微批次：计算 %1，接收 %2，发送 %3
%4
刻度线为所有阶段的平均</translation>
  </message>
  <message>
   <source>%1 for each of %2 microbatches in flight</source>
   <translation>在途 %2 个微批次，每个 %1</translation>
  </message>
  <message>
   <source>Gradients of activations %1, of parameters %2</source>
   <translation>激活的梯度 %1，参数的梯度 %2</translation>
  </message>
  <message>
   <source>device %1</source>
   <translation>设备 %1</translation>
  </message>
  <message>
   <source>, the slowest</source>
   <translation>，最慢</translation>
  </message>
  <message numerus="yes">
   <source>The best split into %n stage(s) is being looked for.</source>
   <translation>
    <numerusform>正在寻找切分为 %n 个阶段的最佳方案。</numerusform>
   </translation>
  </message>
  <message>
   <source>What each stage costs appears here once the model is profiled and split.</source>
   <translation>模型分析并切分后，此处显示每个阶段的开销。</translation>
  </message>
  <message>
   <source>Costs of each stage; moves, adds and removes boundaries with the keyboard</source>
   <translation>每个阶段的开销；可用键盘移动、添加和删除边界</translation>
  </message>
  <message>
   <source>Step %1 · bubble %2 · %3 sent for each microbatch</source>
   <translation>步骤 %1 · 空泡 %2 · 每个微批次发送 %3</translation>
  </message>
  <message>
   <source>Not split yet: the figures are of the whole model</source>
   <translation>尚未切分：数字为整个模型的</translation>
  </message>
  <message>
   <source>&lt;b&gt;%1&lt;/b&gt; is the slowest: &lt;b&gt;%2&lt;/b&gt;</source>
   <translation>&lt;b&gt;%1&lt;/b&gt; 最慢：&lt;b&gt;%2&lt;/b&gt;</translation>
  </message>
  <message>
   <source>Step: one training step of all microbatches, by simulating the schedule.
Bubble: the share of all devices' time in which they compute nothing, the mean of their idle shares.
Sent: activations and gradients over all boundaries, for one microbatch.</source>
   <translation>步骤：按调度模拟的全部微批次的一个训练步骤。
空泡：所有设备不计算的时间比例，即各自空闲比例的平均。
发送：一个微批次跨所有边界的激活和梯度。</translation>
  </message>
  <message>
   <source>Show its code</source>
   <translation>显示其代码</translation>
  </message>
  <message>
   <source>Split in two</source>
   <translation>一分为二</translation>
  </message>
  <message>
   <source>Boundary up by an op</source>
   <translation>边界上移一个算子</translation>
  </message>
  <message>
   <source>Boundary down by an op</source>
   <translation>边界下移一个算子</translation>
  </message>
  <message>
   <source>Boundary up by a module</source>
   <translation>边界上移一个模块</translation>
  </message>
  <message>
   <source>Boundary down by a module</source>
   <translation>边界下移一个模块</translation>
  </message>
  <message>
   <source>Remove the boundary</source>
   <translation>删除边界</translation>
  </message>
  <message>
   <source>less memory</source>
   <translation>内存更少</translation>
  </message>
  <message>
   <source>less time</source>
   <translation>时间更短</translation>
  </message>
  <message>
   <source>Weigh memory against time</source>
   <translation>权衡内存与时间</translation>
  </message>
  <message>
   <source>With how little memory the stages can do when backward runs things again, and what time that costs.</source>
   <translation>反向重新运行部分内容时，各阶段最少需要多少内存，以及由此增加的时间。</translation>
  </message>
  <message>
   <source>Memory can be weighed against time once there is a training step.</source>
   <translation>有训练步骤后即可权衡内存与时间。</translation>
  </message>
  <message>
   <source>What runs again in backward so that no stage holds more; the stages stay</source>
   <translation>为使任何阶段不超过此占用，反向需重新运行的内容；阶段不变</translation>
  </message>
  <message>
   <source>What that costs</source>
   <translation>代价</translation>
  </message>
  <message>
   <source>%1 at most in a stage · slowest stage %2 · </source>
   <translation>每阶段至多 %1 · 最慢阶段 %2 · </translation>
  </message>
  <message>
   <source>%1 of all computing runs again</source>
   <translation>全部计算的 %1 重新运行</translation>
  </message>
  <message>
   <source>nothing runs again</source>
   <translation>无重计算</translation>
  </message>
  <message>
   <source>Another plan than now: </source>
   <translation>与当前不同的方案：</translation>
  </message>
  <message>
   <source>: nothing here can run again with a gain</source>
   <translation>：此处没有值得重计算的内容</translation>
  </message>
  <message>
   <source>Copy as CSV</source>
   <translation>复制为 CSV</translation>
  </message>
  <message>
   <source>Copy as Markdown</source>
   <translation>复制为 Markdown</translation>
  </message>
  <message>
   <source>Filter rows</source>
   <translation>筛选行</translation>
  </message>
  <message>
   <source>Rows with these words; Esc: all rows</source>
   <translation>含这些词的行；Esc：显示所有行</translation>
  </message>
  <message>
   <source>%1 rows</source>
   <translation>%1 行</translation>
  </message>
  <message>
   <source>Save table…</source>
   <translation>保存表格…</translation>
  </message>
  <message>
   <source>Markdown (*.md)</source>
   <translation>Markdown (*.md)</translation>
  </message>
  <message>
   <source>Save the table</source>
   <translation>保存表格</translation>
  </message>
  <message>
   <source>Columns as at first</source>
   <translation>恢复默认列</translation>
  </message>
 </context>
</TS>
