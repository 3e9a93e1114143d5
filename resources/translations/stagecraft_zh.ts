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
  <message>
   <source>The times were of other sizes; they are estimated now.</source>
   <translation>这些时间属于其他尺寸；现改为估算。</translation>
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
   <source>Unlock boundary %1</source>
   <translation>解锁边界 %1</translation>
  </message>
  <message>
   <source>Lock boundary %1</source>
   <translation>锁定边界 %1</translation>
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
   <source>Let results be sent</source>
   <translation>允许发送结果</translation>
  </message>
  <message>
   <source>Never send results</source>
   <translation>从不发送结果</translation>
  </message>
  <message>
   <source>No longer keep together</source>
   <translation>不再保持在一起</translation>
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
   <source>Opening %1</source>
   <translation>正在打开 %1</translation>
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
   <source>Saving %1</source>
   <translation>正在保存 %1</translation>
  </message>
  <message>
   <source>Restore the edits</source>
   <translation>恢复编辑</translation>
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
   <source>Drawing</source>
   <translation>正在绘图</translation>
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
   <source>Opened</source>
   <translation>已打开</translation>
  </message>
  <message>
   <source>Return to plan %1</source>
   <translation>返回方案 %1</translation>
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
   <source>%1 × %2 · %3 microbatches · %4 · %5</source>
   <translation>%1 × %2 · %3 个微批次 · %4 · %5</translation>
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
   <source>Save the drawing of the graph as SVG</source>
   <translation>把图保存为 SVG</translation>
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
   <source>Split &amp;before selection</source>
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
   <source>Let a&amp;part</source>
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
   <source>Send to previous stage</source>
   <translation>移到前一阶段</translation>
  </message>
  <message>
   <source>Move the selected ops, and what must go along, to the stage after</source>
   <translation>把所选算子及必须同行的内容移到后一阶段</translation>
  </message>
  <message>
   <source>Send to next stage</source>
   <translation>移到后一阶段</translation>
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
   <source>Estimate times again</source>
   <translation>重新估算时间</translation>
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
   <source>Same c&amp;uts as this plan</source>
   <translation type="unfinished" />
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
   <translation type="unfinished" />
  </message>
  <message>
   <source>Find the plan for %1 and keep it as B</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>%1, the same cuts</source>
   <translation>%1，相同切分</translation>
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
   <source>Weights (*.safetensors *.json);;All files (*)</source>
   <translation>权重 (*.safetensors *.json);;所有文件 (*)</translation>
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
   <source>SVG (*.svg)</source>
   <translation>SVG (*.svg)</translation>
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
   <source>Trace events for Perfetto (*.json)</source>
   <translation>Perfetto 跟踪事件 (*.json)</translation>
  </message>
  <message>
   <source>Save the schedule</source>
   <translation>保存调度</translation>
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
   <source>Move a boundary in the table of stages</source>
   <translation>在阶段表中移动边界</translation>
  </message>
  <message>
   <source>Alt+Up, Alt+Down</source>
   <translation>Alt+上、Alt+下</translation>
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
   <source>Figures follow each change; Ctrl+Enter searches for the best split. Each choice is one step of undo.</source>
   <translation>数据随每次更改更新；Ctrl+Enter 搜索最佳切分。每次选择都可单独撤销。</translation>
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
   <source>Point at a moment for what is alive then.</source>
   <translation>指向某一时刻查看当时存活的内容。</translation>
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
   <source>Profiling for %1</source>
   <translation>正在为 %1 分析开销</translation>
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
   <source>Operators in the model; hidden ones compute nothing and are not drawn</source>
   <translation>模型中的算子；隐藏的算子不做计算，也不绘制</translation>
  </message>
  <message>
   <source>What is selected; ops are numbered in the order in which they run</source>
   <translation>所选内容；算子按运行顺序编号</translation>
  </message>
  <message>
   <source>The device that takes longest for one microbatch sets the pace of all; how far it is above the mean of all devices is what balancing could gain at most</source>
   <translation>处理一个微批次最慢的设备决定整体速度；它高出平均值的部分是均衡所能获得的最大收益</translation>
  </message>
  <message>
   <source>What the plan is made for; a click shows where it is chosen</source>
   <translation>方案的条件；点击显示在何处选择</translation>
  </message>
  <message>
   <source>, %1 hidden</source>
   <translation>，%1 个隐藏</translation>
  </message>
  <message>
   <source>does not fit into memory</source>
   <translation>内存不足</translation>
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
   <source>Colour ops by: %1</source>
   <translation>算子着色依据：%1</translation>
  </message>
  <message>
   <source>Show %1</source>
   <translation>显示 %1</translation>
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
   <source>Delete a constraint</source>
   <translation>删除一个约束</translation>
  </message>
  <message>
   <source>Delete %1 constraints</source>
   <translation>删除 %1 个约束</translation>
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
   <translation>阶段</translation>
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
   <translation>查找：名称、op:linear、time&gt;1ms</translation>
  </message>
  <message>
   <source>Find</source>
   <translation>查找</translation>
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
   <translation>模块</translation>
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
   <translation>选择算子或模块以查看其开销、输入和输出。</translation>
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
   <translation>按名称、类或算子筛选</translation>
  </message>
  <message>
   <source>Filter modules</source>
   <translation>筛选模块</translation>
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
   <translation>设备</translation>
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
   <translation>复制</translation>
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
   <source>Language</source>
   <translation>语言</translation>
  </message>
  <message>
   <source>Text size</source>
   <translation>文字大小</translation>
  </message>
  <message>
   <source>The most that a search for the best split may take</source>
   <translation>搜索最佳切分的最长时间</translation>
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
   <source>Microbatches</source>
   <translation>微批次</translation>
  </message>
  <message>
   <source>Search for at most</source>
   <translation>最长搜索时间</translation>
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
   <translation type="unfinished" />
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
   <translation type="unfinished" />
  </message>
  <message>
   <source>Open a model</source>
   <translation>打开模型</translation>
  </message>
  <message>
   <source>A file made by torch.export.save, .pt2</source>
   <translation>由 torch.export.save 生成的 .pt2 文件</translation>
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
   <translation type="unfinished" />
  </message>
  <message>
   <source>Export your own model</source>
   <translation>导出您自己的模型</translation>
  </message>
  <message>
   <source>%1 is not there any more</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Open %1</source>
   <translation>打开 %1</translation>
  </message>
  <message>
   <source>Go on with %1</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>Open the example %1</source>
   <translation>打开示例 %1</translation>
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
   <translation>更多选项</translation>
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
   <translation>最慢</translation>
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
   <translation>设备上的阶段</translation>
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
   <translation>尺寸</translation>
  </message>
  <message>
   <source>Show more options</source>
   <translation>显示更多选项</translation>
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
   <translation>正在切分</translation>
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
   <translation>步骤 %1 · 空泡 %2 · 每个微批次发送 %3</translation>
  </message>
  <message>
   <source>Differences are to B</source>
   <translation type="unfinished" />
  </message>
  <message>
   <source>&lt;b&gt;%1&lt;/b&gt; is the slowest: &lt;b&gt;%2&lt;/b&gt;</source>
   <translation>&lt;b&gt;%1&lt;/b&gt; 最慢：&lt;b&gt;%2&lt;/b&gt;</translation>
  </message>
  <message>
   <source>Step: one training step of all microbatches, by simulating the schedule.
Bubble: the share of all devices' time in which they compute nothing, the mean of their idle shares.
Sent: activations and gradients over all boundaries, for one microbatch.</source>
   <translation type="unfinished" />
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
