# Sourced by scripts. Creates network namespaces as simulated machines, connected by a switch in one more namespace.
# Machine k is the namespace NET-k with the address 10.77.0.1k.
#   make_machines NET COUNT      fails if namespaces are not permitted
#   remove_machines NET COUNT
make_machines() {
  local net=$1 k
  command -v ip > /dev/null && ip netns add "$net-switch" 2> /dev/null || return 1
  ip -n "$net-switch" link add name bridge type bridge
  ip -n "$net-switch" link set bridge up
  for ((k = 0; k < $2; ++k)); do
    ip netns add "$net-$k"
    ip link add "port$k" netns "$net-switch" type veth peer name eth0 netns "$net-$k"
    ip -n "$net-switch" link set "port$k" master bridge up
    ip -n "$net-$k" addr add "10.77.0.1$k/24" dev eth0
    ip -n "$net-$k" link set eth0 up
    ip -n "$net-$k" link set lo up
  done
}

remove_machines() {
  local k
  for ((k = 0; k < $2; ++k)); do ip netns del "$1-$k" 2> /dev/null || true; done
  ip netns del "$1-switch"
}
