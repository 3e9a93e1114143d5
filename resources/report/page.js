// Puts the parts into the page.
function savePlan() {
  const address = URL.createObjectURL(new Blob([data.plan_file], {type: "application/json"}));
  element("a", {href: address, download: data.plan_name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

async function copyCommand(event) {
  const button = event.target;
  try {
    await navigator.clipboard.writeText(byId("command").textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(byId("command")); // to be copied by hand
    button.textContent = "Selected: press Ctrl+C";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 3000);
}

document.documentElement.classList.add("js");
document.body.append(tip, spoken);
addEventListener("scroll", hideTip, {passive: true});
addEventListener("keydown", event => { if (event.key === "Escape") hideTip(); });
for (const id of ["stages-table", "devices-table", "recomputed-table", "boundaries-table"])
  if (byId(id))
    improveTable(byId(id));
showStageTimes();
showStageMemory();
startMap();
new Treemap(byId("treemap"));
startTimeline();
new ModuleTable(byId("module-table"));
improveOperators();
listCrossing();
byId("save-plan").addEventListener("click", savePlan);
byId("copy-command").addEventListener("click", copyCommand);
