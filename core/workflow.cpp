#include "core/workflow.h"
