# Sourced by the scripts that open more files at a time than the usual soft limit of descriptors allows.
allow_descriptors() {
    local most
    most=$(ulimit -Hn)
    if [[ $most == unlimited || $most -gt 65536 ]]; then most=65536; fi
    ulimit -Sn "$most"
}
