"""Names of the AscendC interface, by which what the model lacks is told from what is misspelt.

Those that a page of its reference describes and that a header declares in `namespace AscendC` (asc-devkit, docs/zh,
SIMD-API; include/basic_api, include/adv_api).
"""

from __future__ import annotations

_WORDS = """
Abs AbsSub Acos Acosh Add AddDeqRelu AddRelu AddReluCast Adds AdjustSoftMaxRes AllocMutexID And
Ands AntiQuantShapeInfo AntiQuantize AntiQuantizeConfig AntiQuantizeParams Arange AscendAntiQuant
AscendAntiQuantConfig AscendAntiQuantParam AscendDeQuantConfig AscendDeQuantParam AscendDequant
AscendQuant AscendQuantConfig AscendQuantParam Asin Asinh Atan AtanAlgo AtanConfig Atanh AtomicAdd
AtomicCas AtomicExch AtomicMax AtomicMin Axpy BatchNorm BilinearInterpolation BinaryRepeatParams
BitwiseAnd BitwiseAndConfig BitwiseNot BitwiseNotConfig BitwiseOr BitwiseOrConfig BitwiseXor
BitwiseXorConfig Brcb BroadCastVecToMM Broadcast Cast CastDequant Ceil CeilAlign CeilDivision
CheckLocalMemoryIA Clamp ClampConfig ClampMax ClampMin ClearSpr Compare Compares Concat Conv3dCfg
Conv3dIntf Conv3dIntfExt Conv3dParam Coord Copy CoreType Cos CosAlgo CosConfig Cosh
CountBitsCntSameAsSignBit CountLeadingZero CreateCubeResGroup CreateVecIndex CrossCoreSetFlag
CrossCoreWaitFlag CubeResGroupHandle CumSum CumSumAlgorithm CumSumConfig CumSumInfo
DataCacheCleanAndInvalid DataCachePreload DataCopy DataCopyL1ToUB DataCopyPad DataFormat
DataSyncBarrier DeInterleave DeepNorm DequantParams DequantType Dequantize Digamma
DisableDmaAtomic Div Divs DropOut DropOutShapeInfo DumpAccChkPoint DumpTensor Duplicate Erf
ErfAlgo ErfConfig Erfc Exp ExpSub Extract FasterGelu FasterGeluV2 Fill Fixpipe FixpipeParams Floor
Fma FmaConfig Fmod FmodAlgo FmodConfig Frac FusedMulAdd Gather GatherMask Gatherb GeGLU Gelu Gemm
GetArchVersion GetBasicConfig GetBitCount GetBlockIdx GetBlockNum GetBroadcastTilingInfo
GetCmpMask GetConv2dTiling GetCtrlSpr GetDataBlockSizeInBytes GetGemmTiling GetHcclContext
GetIBShareNormConfig GetICachePreloadStatus GetMDLConfig GetMMConfig GetMatmulApiTiling
GetMrgSortResult GetNormalConfig GetProgramCounter GetReduceRepeatMaxMinSpr GetReduceRepeatSumSpr
GetRuntimeUBSize GetSFFValue GetSaturationFlag GetShapeSize GetSortLen GetSortOffset
GetSpecialMDLConfig GetSpr GetSsbufBaseAddr GetStoreAtomicConfig GetSubBlockIdx GetSubBlockNum
GetSysWorkSpacePtr GetSystemCycle GetTPipePtr GetTaskRatio GetUBSizeInBytes GetUserWorkspace
GetVecLen GlobalTensor GroupBarrier GroupNorm Hccl HcclCMDType HcclServerConfig Hypot IBSet IBWait
ICachePreLoad Img2ColParams InitDetermineComputeWorkspace InitSocState Interleave IsFinite IsInf
IsInfConfig IsNan IsNanConfig KfcWorkspace LayerNorm LayerNormGrad LayerNormGradBeta
LayerNormGradShapeInfo LeakyRelu Lgamma ListTensorDesc Ln Load3DBitModeParam LoadData
LoadDataUnzip LoadDataWithSparse LoadDataWithStride LoadDataWithTranspose LoadImageToLocal
LoadUnzipIndex LocalMemAllocator LocalTensor Log Log10 Log2 LogSoftMax LogicalAnd LogicalAndConfig
LogicalAnds LogicalAndsConfig LogicalNot LogicalNotConfig LogicalOr LogicalOrConfig LogicalOrs
LogicalOrsConfig LogicalXor LogicalXorConfig MakeCoord MakeLayout MakeShape MakeStride MarkStamp
MatmulConfig MatmulConfigParams MatrixMadType MatrixOffset Max Maxs Mean MeanParams
MetricsProfStart MetricsProfStop Min Mins Mmad MmadBitModeParams MmadMx MmadWithSparse MrgSort
MrgSort4 MrgSort4Info MrgSortSrcList Mul MulAddDst MulAddRelu MulCast Mull Muls MulsCast Mutex
NdDmaDci Neg Normalize NormalizeConfig NormalizePara Not NotifyNextBlock NumericLimits Or Ors Pad
PadParams PhiloxRandom PhiloxRandomParams PipeBarrier PlatformInfo PopStackBuffer Power PowerAlgo
PowerConfig Prelu PrintTimeStamp ProposalConcat ProposalExtract Quantize QuantizeConfig
QuantizeParams QuantizePolicy ReGlu ReadGmByPassDCache Reciprocal ReduceAll ReduceAny
ReduceDataBlock ReduceMax ReduceMean ReduceMin ReducePairElem ReducePattern ReduceProd
ReduceRepeat ReduceSum ReduceXorSum ReleaseMutexID Relu ResetCtrlSpr ResetLoopModePara ResetMask
Rint RintConfig RmsNorm Round RpSort16 Rsqrt Scatter ScopeType Select SetAippFunctions
SetAtomicAdd SetAtomicMax SetAtomicMin SetAtomicType SetCmpMask SetCtrlSpr SetDeqScale
SetFMatrixBitModeParams SetFixPipeAddr SetFixPipeClipRelu SetFixPipeConfig SetFixpipeNz2ndFlag
SetFixpipePreQuantFlag SetFlag SetFmatrix SetHF32Mode SetHF32TransMode SetHcclContext
SetLoadDataBoundary SetLoadDataPaddingValue SetLoadDataRepeat SetLoadDataRepeatWithStride
SetLoopModePara SetMMColumnMajor SetMMRowMajor SetMaskCount SetMaskNorm SetNextTaskStart
SetPadValue SetSaturationFlag SetStoreAtomicConfig SetSysWorkspace ShapeInfo ShiftLeft ShiftRight
Sigmoid Sign Silu SimpleSoftMax Sin SinAlgo SinConfig SinCos SinCosConfig Sinh SoftMax
SoftMaxFlashV2TilingFunc SoftMaxParams SoftMaxShapeInfo SoftmaxConfig SoftmaxFlash SoftmaxFlashV2
SoftmaxFlashV3 SoftmaxGrad SoftmaxGradFront SoftmaxMode Sort Sort32 SortConfig SortType Sqrt Sub
SubRelu SubReluCast Subs Sum SumParams SwiGLU Swish SyncAll SysTilingTempBufSize TBuf TBufPool
TPipe TPosition TQue TQueBind TQueSync Tan Tanh TanhAlgo TanhConfig TensorTrait TopK TopKAlgo
TopKConfig TopKInfo TopKOrder TransData TransDataConfig TransDataParams TransDataTo5HD Transpose
TransposeType Trunc Truncate UnPad UnPadParams UnaryRepeatParams VectorPadding WaitFlag
WaitPreBlock WaitPreTaskEnd WelfordFinalize WelfordFinalizeConfig WelfordFinalizePara
WelfordUpdate WelfordUpdateConfig WelfordUpdateParam Where WriteGmByPassDCache Xor
"""
NAMES = frozenset(_WORDS.split())

MEMBERS_NOT_HERE = {
    "BinaryRepeatParams": ("repeatStrideMode", "strideSizeMode"),
    "DataFormat": ("FRACTAL_Z_3D", "NCDHW", "NDC1HWC0"),
    "GatherMaskMode": ("NO_STORE_REG", "STORE_REG"),
    "HardEvent": ("V_FIX",),
    "LoadDataRepeatParam": ("reserved",),
    "MaskPattern": ("H", "M3", "M4", "Q"),
    "Nz2NdParams": ("originalNSize",),
    "ReluMode": ("SCALAR_RELU", "VECTOR_RELU"),
    "RoundMode": ("CAST_EVEN", "CAST_ZERO"),
    "ShapeInfo": ("dataFormat", "originalShape", "originalShapeDim"),
    "TransposeType": (
        "TRANSPOSE_ND2ND_102",
        "TRANSPOSE_ND2ND_210",
        "TRANSPOSE_ND2NZ_WITH_INTLV",
    ),
    "UnaryRepeatParams": ("halfBlock", "repeatStrideMode", "strideSizeMode"),
}
"""Enumerators and fields of the interface that the headers here leave out; of those types they have all others."""
