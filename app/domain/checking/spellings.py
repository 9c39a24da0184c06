"""How people and speech recognisers spell the words of GPU performance.

Language, not content: what is here is true of every card. A card's own
vocabulary belongs in its `concepts`.
"""

NUMBERS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "thirds": "third",
    "tenths": "tenth", "percents": "percent",
}  # fmt: skip

# Sounds that carry no meaning; dropped, so that they break no pattern.
FILLERS = frozenset({"um", "uh", "er", "erm", "euh", "uhm", "ah", "mm", "hm"})

# One written word -> the word it is compared as.
JARGON = {
    "flop": "flops", "flaps": "flops", "flap": "flops", "floppies": "flops",
    "tflop": "tflops", "teraflop": "tflops", "teraflops": "tflops", "petaflops": "tflops",
    "pflops": "tflops", "gflops": "tflops",
    "gemm": "matmul", "gemms": "matmul", "matmuls": "matmul", "matmult": "matmul",
    "vram": "dram", "hbm": "dram", "gmem": "dram", "ddr": "dram",
    "smem": "sram", "lds": "sram",
    "bwd": "backward", "backwards": "backward", "backprop": "backward",
    "backpropagation": "backward", "fwd": "forward", "grads": "gradient", "grad": "gradient",
    "gradients": "gradient", "kernels": "kernel", "launches": "launch", "ops": "op",
    "operations": "op", "operation": "op", "tensors": "tensor", "registers": "register",
    "regs": "register", "ln": "layernorm", "cannot": "cant", "b4": "before",
    "w": "with", "acts": "activation", "activations": "activation", "x": "times", "math": "maths",
    "arithmetics": "arithmetic", "bw": "bandwidth", "mem": "memory", "cuz": "because",
    "cos": "because", "cause": "because", "coz": "because", "u": "you", "ur": "your",
    "gpus": "gpu", "reads": "read", "writes": "write", "rmsnorm": "layernorm", "gonna": "going",
}  # fmt: skip

# Several words -> the one they stand for; written as `read` spells each word by itself.
_PHRASES = {
    "h b m": "dram", "h p m": "dram", "hbm 2": "dram", "dram 3": "dram", "d ram": "dram",
    "the ram": "the dram", "v ram": "dram", "global memory": "dram", "device memory": "dram",
    "main memory": "dram", "gpu memory": "dram", "off chip memory": "dram", "s ram": "sram",
    "high bandwidth memory": "dram", "graphics memory": "dram", "video memory": "dram",
    "shared memory": "sram", "shared mem": "sram", "on chip memory": "sram",
    "floating point op": "flops", "floating op": "flops", "f l o p s": "flops",
    "fl ops": "flops", "floating points": "flops", "tera flops": "tflops", "terra flops": "tflops",
    "t flops": "tflops", "tera op": "tflops", "peak flops": "tflops", "flops per s": "tflops",
    "flops per second": "tflops", "tensor core throughput": "tensorcore throughput",
    "tensor cores": "tensorcore", "tensor core": "tensorcore",
    "mat mul": "matmul", "mat mall": "matmul", "mat moles": "matmul", "mat mole": "matmul",
    "mat malls": "matmul", "mat muls": "matmul", "mad mul": "matmul", "math mul": "matmul",
    "matt mull": "matmul", "mat mull": "matmul", "mat mulls": "matmul", "met mul": "matmul",
    "matrix multiplication": "matmul", "matrix multiplications": "matmul",
    "matrix multiply": "matmul", "matrix multiplies": "matmul", "matrix product": "matmul",
    "matrix products": "matmul", "matrix mul": "matmul", "matrix mults": "matmul",
    "lay a norm": "layernorm", "layer norm": "layernorm", "lair norm": "layernorm",
    "later norm": "layernorm", "rms norm": "layernorm", "jello": "gelu", "g l u": "gelu",
    "sea loo": "silu", "l 2": "l2", "l 2 cache": "l2 cache", "pie torch": "pytorch",
    "back prop": "backward", "back propagation": "backward", "back pass": "backward pass",
    "reverse pass": "backward pass", "1 over 3": "1 third", "1 per 3": "1 third",
    "tera byte": "terabyte", "round trips": "roundtrip", "round trip": "roundtrip",
    "rd per wr": "read and write",
    "floating point maths": "flops", "floating point arithmetic": "flops",
    "floating point work": "flops",
}  # fmt: skip
PHRASES = {tuple(phrase.split()): target for phrase, target in _PHRASES.items()}
