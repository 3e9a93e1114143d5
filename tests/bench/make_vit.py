"""make_vit.py FILE.pt2 [DEPTH]: ViT-B/16 with a dynamic batch, weight-free, for bench_profile.

With a DEPTH other than its 12 blocks: 600 make a graph of 9,000 operators for bench_frames.
"""
import sys

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        q, k, v = self.qkv(self.norm1(x)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4).unbind(0)
        y = nn.functional.scaled_dot_product_attention(q, k, v)
        x = x + self.out(y.transpose(1, 2).flatten(2))
        return x + self.mlp(self.norm2(x))


class Vit(nn.Module):
    def __init__(self, width=768, depth=12, heads=12, classes=1000):
        super().__init__()
        self.patches = nn.Conv2d(3, width, 16, 16)
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.position = nn.Parameter(torch.zeros(1, 197, width))
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(depth)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, image):
        x = self.patches(image).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.position
        return self.head(self.norm(self.blocks(x))[:, 0])


if __name__ == "__main__":
    with torch.device("meta"):
        model = Vit(depth=int(sys.argv[2]) if len(sys.argv) > 2 else 12).train()
        program = torch.export.export(model, (torch.zeros(8, 3, 224, 224),), strict=False,
                                      dynamic_shapes=({0: torch.export.Dim("batch", min=2)},))
    torch.export.save(program, sys.argv[1])
