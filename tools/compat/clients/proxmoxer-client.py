# proxmoxer, a Python client that others wrote, on the simulator: list, status, start, stop, snapshot; by password and
# by token. Prints one line for each thing that held, and fails at the first that does not.
import os
import sys
import time

from proxmoxer import ProxmoxAPI
from proxmoxer.core import ResourceException

host, port, ca = sys.argv[1:4]


def held(what, is_so):
    if not is_so:
        sys.exit(f"proxmoxer: {what} does not hold")
    print(f"proxmoxer: {what}")


def wait(api, upid):
    node = upid.split(":")[1]
    for _ in range(100):
        status = api.nodes(node).tasks(upid).status.get()
        if status["status"] == "stopped":
            return status["exitstatus"]
        time.sleep(0.01)
    sys.exit(f"proxmoxer: {upid} does not end")


ways = {
    "password": dict(user="root@pam", password="simulated"),
    "token": dict(user="dedalus@pve", token_name="apply", token_value="22222222-2222-4222-8222-222222222222"),
}
for way, who in ways.items():
    api = ProxmoxAPI(host, port=int(port), verify_ssl=ca, **who)
    held(f"{way}: version", api.version.get()["release"] == "9.2")
    held(f"{way}: nodes", sorted(n["node"] for n in api.nodes.get()) == ["pve1", "pve2", "pve3"])
    held(f"{way}: list", 101 in [vm["vmid"] for vm in api.cluster.resources.get(type="vm")])
    vm = api.nodes("pve1").qemu(101)
    held(f"{way}: stopped", vm.status.current.get()["status"] == "stopped")
    held(f"{way}: start", wait(api, vm.status.start.post()) == "OK")
    held(f"{way}: running", vm.status.current.get()["status"] == "running")
    held(f"{way}: snapshot", wait(api, vm.snapshot.post(snapname="before")) == "OK")
    held(f"{way}: listed", "before" in [s["name"] for s in vm.snapshot.get()])
    held(f"{way}: snapshot removed", wait(api, vm.snapshot("before").delete()) == "OK")
    held(f"{way}: stop", wait(api, vm.status.stop.post()) == "OK")
    held(f"{way}: stopped again", vm.status.current.get()["status"] == "stopped")
    try:
        api.nodes("pve1").qemu(999).config.get()
        held(f"{way}: an absent VM is an error", False)
    except ResourceException as error:
        held(f"{way}: an absent VM is an error", error.status_code == 500 and "does not exist" in str(error))
