"""What the templates of tilelang-ascend 0.1.4 call, in their order, with the flags that they set themselves.

(Facts from its src/tl_templates/ascend/common.h and the CATLASS copies that it uses; the names are its own.)
"""
