#!/bin/sh
# A token never reaches the screen, whatever the model says. Most pieces hold none: then there is nothing to say.
event=$(cat)
case "$event" in *tok_*) ;; *) echo '{}'; exit 0 ;; esac
printf %s "$event" | jq '{hookSpecificOutput: {hookEventName: "AfterModel", llm_response:
  (.llm_response | walk(if type == "string" then gsub("tok_[A-Za-z0-9]+"; "[redacted]") else . end))}}'
