// The way of the data: what the window and the command line do with a model, in order.
#pragma once

#include "core/load/model.h"
#include "core/partition/partition.h"
#include "core/profile/profile.h"
#include "core/stage/stage_program.h"
