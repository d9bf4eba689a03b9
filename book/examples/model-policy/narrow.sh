#!/bin/sh
# A review begins by reading: the first request of its session may only call tools that read.
event=$(cat)
case "$event" in *"review:"*) ;; *) exit 0 ;; esac
session=$(printf %s "$event" | jq -r .session_id | tr -cd 'A-Za-z0-9-')
seen="$SYMPOSIUM_PLUGIN_DIR/sessions/$session"
[ -e "$seen" ] && exit 0
mkdir -p "$SYMPOSIUM_PLUGIN_DIR/sessions" && : > "$seen"
echo '{"hookSpecificOutput": {"hookEventName": "BeforeToolSelection", "toolConfig":
       {"mode": "ANY", "allowedFunctionNames": ["read_file", "grep_search", "glob"]}}}'
