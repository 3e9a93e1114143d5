"""make_llama_70b.py FILE.pt2: Llama 3 70B, weight-free, in the form of resources/examples/llama-3-8b.pt2.

Needs transformers (5 or later) beside PyTorch. No memory is taken for weights; it takes a minute or two.
"""
import pathlib
import sys
import tempfile
import zipfile

import torch
from transformers import LlamaConfig, LlamaForCausalLM

CONFIG = dict(vocab_size=128256, hidden_size=8192, intermediate_size=28672, num_hidden_layers=80, num_attention_heads=64,
              num_key_value_heads=8, max_position_embeddings=8192, rope_theta=500000.)


class Logits(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = LlamaForCausalLM(LlamaConfig(**CONFIG))

    def forward(self, input_ids):
        return self.model(input_ids=input_ids, use_cache=False).logits


def pack(source, target):
    """The same archive, compressed, and the same bytes each time."""
    with zipfile.ZipFile(source) as plain, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for item in plain.infolist():
            entry = zipfile.ZipInfo(item.filename, (1980, 1, 1, 0, 0, 0))
            packed.writestr(entry, plain.read(item), zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    with torch.device("meta"):
        program = torch.export.export(Logits().train(), (torch.zeros(1, 2048, dtype=torch.long),), strict=False)
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder) / "llama-3-70b.pt2"
        torch.export.save(program, plain)
        pack(plain, sys.argv[1])
