// LibTorch works out operators of constants while it compiles a script. One that would stop the
// processor, or take for ever, gets an error there, and is left to be refused where the script is followed.
#pragma once

namespace stagecraft {

// From now on those operators of TorchScript are checked (checkPlainCall) before they run, whoever runs them.
// Later calls do nothing. Not to be called the first time while another thread compiles TorchScript.
void guardFolding();

} // namespace stagecraft
