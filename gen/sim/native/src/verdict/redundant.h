// Synchronisation that nothing needs.
#pragma once

#include "replay/sync_log.h"
#include "verdict/findings.h"
#include "verdict/json.h"

namespace aicore::engine {

// Remarks on flags and barriers that told no pipe anything, in any execution.
void report_redundant(const SyncLog& log, Findings& findings);
// The list of all synchronisation, with the name under which AICORE_PROFILE drop= leaves a position out.
void write_sync(Json& json, const SyncLog& log);

}  // namespace aicore::engine
