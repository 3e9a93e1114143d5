"""docs/accuracy.md and its two pictures, from what truth.py found."""
import math
import statistics
from html import escape

COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1", "#b83280", "#975a16", "#4a5568", "#c53030", "#0987a0", "#702459", "#744210", "#22543d",
           "#1a365d", "#9b2c2c", "#553c9a", "#718096")
FRAME = 'fill="none" stroke="#a0aec0"'

HEAD = """# How far off predicted times are

Written by `tests/bench/truth.py`; do not edit. Times that others measured and published, held against what the shipped device
files predict. Every figure of a device file says whether it is a datasheet's, published, fitted (to what) or assumed:
`stagecraft-cli devices NAME`. "Usually within" is the error that four of five cases keep.
"""

SOURCES = """
## Where the measured times come from

| table | what | licence |
|---|---|---|
| huggingface/pytorch-image-models, `results/benchmark-*-amp-nhwc-*.csv` | timm models, mixed precision, channels last, RTX 3090 and 4090 | Apache-2.0 |
| VIA-Research/vTrain, `data/ground_truth_single.csv` | Megatron GPT on A100 SXM 80 GB, fp16, full recomputation, 1F1B | MIT |
| NVIDIA/Megatron-LM, `tests/functional_tests/**/golden_values_*.json` | peaks of Megatron's tests | Apache-2.0, BSD |
| vinjn/nanotron-ultrascale-playbook, `assets/data/benchmarks/banner.html` | peaks of Llama-like models on H100s | unclear: held against, not shipped |
| `tests/data/truth` | timm and transformers models, training and inference, time and memory, H100 and H200 SXM, PyTorch 2.11 | ours |
| `tests/data/measured_h100` | operators and steps of small models, as `measure_device.py` wrote them, H100 SXM, PyTorch 2.11 | ours |
| sitar-lab/NeuSight, `scripts/asplos/data/dataset` | operators timed alone in fp32, torch 2.1, on six GPUs | MIT |
"""

LIMITS = """
## What is fitted and what is not

- Operators: rates of products (where it describes them clearly better, of one kernel: its tile and the step in which its loop goes over
  the depth), curves of elementwise operators and normalisations of six boards are fitted to two rows of three of their table; the errors
  above are of the third. Of a device file's accuracy by operators only products count. No whole model is fitted to.
- H100: curves of the SXM board, its products in half precision, convolutions and attention are fitted to operators of small models
  (`measure_device.py`). What kernels do besides moving bytes (`core/profile/cost/kernel_cycles.h`, `hopper_convolutions.h`,
  `hopper_products.h`, `batch_norm.h`, `attention_work.h`) is fitted to kernels of the models whose steps are held here, not to the steps.
  A second set of 80 models was a check before they were: then inference was 13.9 % off, training 25.2 %, language models 15.4 %.
- H200: nothing is fitted to it; its file has what was fitted on the H100, with its own memory. Its 71 models are a third set, predicted
  before they were run, and no rule has seen their kernels. This is the check of what is said of models that nobody has measured. Then
  inference was 5.1 % off, training 10.3 %, language models 5.8 %; what changed since is rules of the H100's kernels (gradients of
  convolutions, batch norm, products that wait for memory). That batch norm goes by bandwidth, which kernels of one board do not tell
  from cycles, was chosen with these steps in sight.
- "Its host measured": the same predictions with what `calibrate --from tests/data/measured_h100` says of the machine that these models
  ran on: 2.8 us a view forward and 9.5 backward, from a chain of views alone; 45 us an operator that launches a kernel and 26 backward,
  by least squares over the 239 passes of small models that waited for the program, what views take taken off. No step that is held here
  has a part in it. That handing over a convolution takes 2 such times and its gradients 5 is of the same passes, to which 2 to 4 and 4 to
  8 are as good within 6 %. The two convolutional nets among that table's own steps decided: their forward passes are 3 and 4 % off with
  2 and 5, 9 % with 3 and 5, 21 and 22 % with the median over pairs of passes, which calibrating took before, instead of least squares.
  Of forward passes without gradients the table has nothing: that they take 0.8 of the time of others is what PyTorch 2.13 took on a CPU
  for a hundred operators one after the other (views 0.71, elementwise 0.81, linear layers 0.71 to 0.86, convolutions 0.88).
- What device files say of the host, 32 us an operator and 18 backward, 2.1 us a view and 6.6 backward, is 7/10 of that, in one figure
  19 us: chosen with the steps of the H100 and the H200 in sight. (Those of the A100 SXM have one figure for both, below.) By one figure
  `measure_device.py` found 27.5 us forward and 14.6 backward on the H100's machine, 16.7 and 9.4 on the H200's, whose table is not kept.
- RTX 3090 and 4090: shares of kernels and curves were chosen with these very steps in sight. Their rows show how well that
  describes the cards; they are no check of it. So was the rate of gradients of depthwise weights, with the training steps.
- Megatron: a step is the plan's iteration and the optimizer (fused, as apex has it) where most parameters are. The A100 SXM
  boards' host, 25 us an operator, the slow end of what is published, was chosen with these runs in sight; nothing else comes from them.

## What is known to be wrong

- A host that hands over operators slowly: every device file assumes one host, `calibrate` measures it. What one operator takes on it is
  a mean: of the H100's small models those that call functions of tensors alone took half of what those took that are made of modules,
  and of the steps here xcit, cait and twins take 1.4 to 1.5 times what is predicted with their host, t5 in bfloat16 0.7 times.
- The table of Megatron's steps is no table of runs, or not of that many: within a microbatch size all rows are
  T = (microbatches + stages - 1) x (layers a stage) x a + microbatches x b + (stages - 1) x c + (layers a stage) x d + e to the last
  digit they are given in (residuals below 1e-9 ms, where runs differ by a percent), and c is 0.3125 ms a sample, which is 4 MiB at
  12.5 GiB/s. At most a (a layer), b (head and loss), d (its optimizer) and e were measured, once for each of 1, 2, 4 and 8 samples:
  a layer 3.00, 3.16, 4.95 and 8.00 ms, head and loss 6.3, 10.3, 18.6 and about 38 ms. So a mean over these rows weighs 16 figures.
- Of these, predicted are a layer 3.3, 3.4, 4.8 and 8.9 ms, head and loss 3.4, 7.3, 14.1 and about 27 ms. What is missing is in what
  comes once a microbatch: 3 ms with one and two samples, 4.5 with four, some 11 with eight. Megatron does more there than the exported
  model: batches, masks and positions are broadcast and built, the loss over a vocabulary that may be split is a dozen operators
  (mpu/cross_entropy.py), and is summed over processes. What each of these takes the table does not say. A layer is too slow with one
  and two samples: one host for all operators, 25 us, and an addition for each gradient by itself.
- One chip, two hosts: SXM boards of the A100 are given 25 us an operator, other boards 17. With 17 these pipelines would be 21 % too
  fast, 30 % at one sample. It is a figure of the machine and its software, not of the board.
- Training steps on an RTX 3090 (PyTorch 1.12) are predicted too fast: most of all skresnext50 and nf_regnet, whose kind is slow in
  cuDNN of that time (regnetz, with groups as wide, is within 8 %), and edgenext.
- The weight's gradient of depthwise convolutions is given 0.14 of the bandwidth on every GPU, from four of these training steps.
- bfloat16 on a T4, which has no units for it, takes the curve of its class. Group normalisation's traffic is not read off
  its kernels. Of dropout's, only what its operator reads and writes is counted.
- Batched products alone are the largest error of operators: 21 to 22 % on L4 and T4. Some 16 % of it is the table's own: clocks of these
  boards change between its rows, so that one product takes 6.3 us in one batch and 12 us in another, and to know each product's own median
  would still be 16 % off (A100 of 80 GB: 2 %). The table's products are plain; those with a transposed side, as queries and keys have it,
  are taken to run as these do. The H100's table would have a step of 64 in the depth (8.3 instead of 11.2 %), and no depth under 64: 80
  such products that models ran on an H100 with PyTorch 2.11 were 13 % off without the step, 26 % with it, so it has none.
- H100, the host of its file: the machine that these models ran on took more, above. What waits for the host (xcit, twins, dla60, maxvit,
  gemma2, qwen3) is predicted up to half too fast; `calibrate` measures the host.
- Which of cuDNN's kernels take groups, odd channels and images of three colours is said by rules of what was seen (PyTorch 2.11, cuDNN
  9); weights of 18 groups and more of odd width (regnetv_064) take up to six times what is predicted.
- The backward pass of fastvit_t8 takes more than twice what is predicted. It has depthwise convolutions of 7 x 7 with two kernels a
  channel, whose gradients were seen of 3 x 3 alone; whether these are it, is not known.
- On the H200 cspresnet50 and inception_next in both modes, cspdarknet53 in inference and dpn68 and edgenext in training take a fifth more
  than is predicted, mvitv2 a fifth less: why, is not known.
- Language models were exported without the masks that transformers builds where it is traced and leaves out where it runs. Models in
  bfloat16 were exported in float32 and are predicted in bfloat16: casts to float32 are then no part of the graph, and peaks of models
  that cast large results (gpt2, qwen) are up to 22 % too low. A profile of such a model says so; exported in bfloat16 it has the casts.
- What Python takes in an optimizer's step beside its operators is counted where it was measured alone (`calibrate --from`): no file that comes
  with the program has it. On the H100's machine it was some 0.6 ms a step of models of 8 to 41 parameters, on a CPU 0.1 ms and 1.4 us for
  each operator and each parameter. On that CPU the optimizers of fifteen whole steps were then 5 % off in the mean, 12 % without.
- What a launch over a list of tensors takes is an H100's on every GPU, in cycles, unless `calibrate --from` found another.
- torch.compile was held against two steps alone, forward and backward of GPT-2 on an H100 (PyTorch 2.11): in float32 178 ms measured and
  174 predicted, under autocast to bfloat16 56 and 50. Two more, while other programs used the GPU: vit_small 27 ms measured and 25
  predicted, convnext_tiny 34 and 29.
- No whole model was held on an A100 PCIe, a V100, an L4 or a T4: of these, operators alone were.
- Operators shorter than four times what the host takes are left out of the operators' table: alone they time the host.
- Tensor parallelism, data parallelism and sharded optimizers are no part of a plan: such rows of the tables are not held.
- Other devices than those below were not checked: the window and the command line say so beside their times.
"""


MEMORY = """
## Memory that others measured

What PyTorch's allocator held at most on an H100 and an H200 (`tests/data/truth`), beside what is predicted for the exported model, and runs whose
memory was published, and what keeps a plan from expressing them: of each the first that applies. None is left.

"""

PEAKS = """
In inference a model as its library has it holds what a block was called with until the block returns; a stage that is exported does not.
Exported and run on the same GPU, convnext_tiny, swin_tiny and vit_small were within 5 % of what is predicted.

All models ran one after another in one process, in which cuBLAS keeps its workspaces: 64 MiB are not dla34's, dla60's and dpn68's own,
which have no matrix product, and are what they took in training beyond what is predicted, but for 7 MiB. Of what cuDNN takes inside of
convolutions copies of images are predicted (`core/profile/cost/convolution_copies.h`; its rules are of kernels, not of memory): reserved
memory of the 45 steps that they change was 10.5 % off without and is 8.0 % off; no peak of allocated memory is higher for them.

"""


def percent(share):
    return f"{100 * share:.1f} %"


def usual(cases):
    sizes = sorted(abs(case.error) for case in cases)
    return sizes[min(math.ceil(0.8 * len(sizes)), len(sizes)) - 1]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def summary(cases):
    """By group: how many, mean and median of the error's size, and its mean with its sign."""
    rows = []
    for group in dict.fromkeys(case.group for case in cases):
        errors = [case.error for case in cases if case.group == group]
        sizes = [abs(error) for error in errors]
        rows.append((group, len(errors), statistics.mean(sizes), statistics.median(sizes), statistics.mean(errors)))
    return rows


def groups_table(cases):
    rows = []
    for group, count, mean, median, bias in summary(cases):
        rows.append((group, count, percent(mean), percent(median), percent(usual([c for c in cases if c.group == group])),
                     f"{100 * bias:+.1f} %"))
    return table(("whole steps", "cases", "mean error", "median", "usually within", "bias"), rows)


def cases_table(cases):
    rows = [(case.name, case.group, f"{1e3 * case.measured:.1f}", f"{1e3 * case.predicted:.1f}", f"{100 * case.error:+.1f} %")
            for case in cases]
    return table(("case", "of", "measured, ms", "predicted, ms", "error"), rows)


def operators_table(operators):
    return table(("device, kind of operator", "cases", "mean error"),
                 [(f"{one.device}, {one.kind}", one.kept, percent(one.error)) for one in operators])


def svg(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="12">\n<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


def text(x, y, said, anchor="start", colour="#2d3748"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(said)}</text>'


def line(x1, y1, x2, y2, colour="#a0aec0", dash=""):
    more = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>'


def scatter(cases, left=60, top=20, side=420):
    """Predicted over measured, both in milliseconds on a logarithmic axis; on the line both are equal."""
    low = math.floor(math.log10(min(min(case.measured, case.predicted) for case in cases) * 1e3))
    high = math.ceil(math.log10(max(max(case.measured, case.predicted) for case in cases) * 1e3))
    at = lambda seconds: (math.log10(1e3 * seconds) - low) / (high - low) * side  # noqa: E731
    parts = [f'<rect x="{left}" y="{top}" width="{side}" height="{side}" {FRAME}/>', line(left, top + side, left + side, top, "#4a5568")]
    factor = math.log10(1.2) / (high - low) * side
    parts += [line(left, top + side - factor, left + side - factor, top, dash="4 3"),
              line(left + factor, top + side, left + side, top + factor, dash="4 3")]
    for power in range(low, high + 1):
        place = (power - low) / (high - low) * side
        parts += [text(left + place, top + side + 16, f"{10.0 ** power:g}", "middle"),
                  text(left - 6, top + side - place + 4, f"{10.0 ** power:g}", "end")]
    groups = list(dict.fromkeys(case.group for case in cases))
    for case in cases:
        colour = COLOURS[groups.index(case.group) % len(COLOURS)]
        parts.append(f'<circle cx="{left + at(case.measured):.1f}" cy="{top + side - at(case.predicted):.1f}" r="3.5" fill="{colour}" '
                     f'fill-opacity="0.65"/>')
    for i, group in enumerate(groups):
        y = top + 16 + 20 * i
        parts += [f'<circle cx="{left + side + 24}" cy="{y - 4}" r="4" fill="{COLOURS[i % len(COLOURS)]}"/>',
                  text(left + side + 36, y, group)]
    parts += [text(left + side / 2, top + side + 36, "measured, ms a step", "middle"),
              text(left, top - 6, "predicted, ms a step; dashed: 20 % more or less")]
    return svg(left + side + 350, top + side + 50, parts)


def bars(operators, left=250, row=18, width=360):
    """Mean error by device and kind of operator."""
    most = max(one.error for one in operators)
    parts = []
    for i, one in enumerate(operators):
        y = 10 + row * i
        length = one.error / most * width
        parts += [text(left - 8, y + 12, f"{one.device}, {one.kind}", "end"),
                  f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{row - 5}" fill="{COLOURS[0]}"/>',
                  text(left + length + 6, y + 12, percent(one.error))]
    return svg(left + width + 70, 20 + row * len(operators), parts)


def memory_table(memory):
    return table(("runs", "of", "not expressed, because"), [(rows, group, why) for (group, why), rows in memory.items()])


def peaks_table(peaks):
    """By memory, device and mode: how far predicted peaks are from measured ones."""
    rows = []
    for of in dict.fromkeys(peak[:3] for peak in sorted(peaks, key=lambda peak: peak[0])):
        sizes = sorted(abs(predicted / measured - 1) for *which, measured, predicted in peaks if tuple(which) == of)
        which, device, mode = of
        rows.append((f"{which}, {'training' if mode == 'train' else 'inference'}, {device}", len(sizes), percent(sum(sizes) / len(sizes)),
                     percent(sizes[len(sizes) // 2]), percent(sizes[-1])))
    return table(("peak of memory", "models", "mean error", "median", "largest"), rows)


def write(folder, vision, pipelines, operators, memory, peaks, left_out):
    cases = sorted(vision + pipelines, key=lambda case: case.group)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "accuracy-steps.svg").write_text(scatter(cases))
    (folder / "accuracy-operators.svg").write_text(bars(operators))
    parts = [HEAD, "\n## Whole steps\n\n", groups_table(cases),
             "\n![Predicted over measured steps](accuracy-steps.svg)\n", "\n## Operators alone, rows kept out of the fit\n\n",
             "![Mean error by device and kind of operator](accuracy-operators.svg)\n\n", operators_table(operators), LIMITS, MEMORY, peaks_table(peaks), PEAKS, memory_table(memory), SOURCES,
             "\n## Every step\n\n", cases_table(cases)]
    if left_out:
        parts += ["\n## Left out\n\n", "".join(f"- {why}\n" for why in left_out)]
    (folder / "accuracy.md").write_text("".join(parts))
