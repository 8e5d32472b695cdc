"""Numbers that separate right from nearly right, each with its right value.

Each row of the collection, and the tests that hold it. `S`: all three trees through `gen check` or with inputs of our
own through the same front ends; `K`: a small kernel in each tree that can say it; `O`: the instruction itself.

====================================================  =================================================================
GEMM with K = 200, 24 of 32 (float32), 16 … 512       S test_gemm_numbers: test_k_that_leaves_part_of_a_block;
                                                      tests/product/test_shapes: …_at_the_k_that_separate…
GEMM with K = 80 in int8, in L0 steps of 48           K test_number_formats: test_int8_with_k_of_80…;
                                                      O tests/ops/test_ops_mmad: test_int8_sums_are_exact
GEMM with K = 0                                       test_gemm_numbers: test_no_k_is_refused_and_no_instruction
15x13x47, 17x29x65, 33x18x127, 31x7x95, 250^3         S test_gemm_numbers: test_shapes_with_tails_everywhere
512^3 with tiles of 128x256, fewer tiles than cores   S test_gemm_numbers: test_fewer_tiles_than_cores
A stored [100, 200]                                   S test_gemm_numbers: test_k_that_leaves_part_of_a_block
transposition: not square, row and column told apart  S test_gemm_numbers: test_rows_and_columns_keep_their_places
L0C starts with NaN                                   S test_gemm_numbers: test_a_tile_of_nan_leaves_nothing_in_l0c;
                                                      O tests/ops/test_ops_mmad: test_init_reads_nothing_from_l0c
the output starts with NaN                            K test_number_formats: test_outputs_start_as_nan;
                                                      tests/check: test_poison_in_an_output_is_a_mismatch
elementwise of n = 1, 7, 8, 98, 520, 65536            S tests/product/test_shapes: test_elementwise_of_any_length
n = 4097 (tile 1024), 13243 (tile 2048), 11 half      S test_elementwise_numbers: test_lengths_beside_their_tiles
65536 on all cores                                    S test_elementwise_numbers: test_lengths_beside_their_tiles
in place: y = x                                       K test_number_formats: test_in_place;
                                                      O tests/ops/test_ops_vector: test_in_place_is_fine
random data, never ones                               tests/check: test_inputs_are_reproducible_and_never_constant…
norm of 3x37 in half, values of +-1000                S test_norm_numbers: test_squares_beyond_half
norm of 1997x3037, 16384 and 32768, 4096 and 4112     S test_norm_numbers: test_row_lengths
norm of 3000 with an offset of 1e4                    S test_norm_numbers: test_an_offset_larger_than_the_rest
five negatives padded to eight                        K test_number_formats: test_the_largest_of_five_negatives…
a row of zeros, eps 1e-12                             S test_norm_numbers: test_a_row_of_zeros
rows narrower than 32 bytes: [512, 2], (M, 1)         S test_norm_numbers: test_rows_narrower_than_a_block
one row alone and in a batch of 64, bit for bit       S test_metamorphic: test_a_row_does_not_know_its_batch
accumulator 37 x scale 0.01 stays 0.37                K test_number_formats: test_a_scaled_accumulator…
int8 with a count that is no multiple of 32           K test_number_formats: test_int8_of_33_elements
bfloat16 addition on the 910B, through float32        S test_elementwise_numbers: test_bfloat16_is_added_in_float32
pipelined == serial                                   S test_metamorphic: test_stages_do_not_change_bits
temporary buffer given == taken by the function       K test_metamorphic: test_a_temporary_buffer_may_be_given_or_not
three renderings == reference                         S everywhere above
the size of a tile does not change elementwise bits   S test_metamorphic: test_tiles_do_not_change_bits
====================================================  =================================================================
"""
