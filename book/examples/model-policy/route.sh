#!/bin/sh
# A prompt that begins with `quick:` goes to a smaller model, with less imagination.
exec jq 'if .llm_request.messages | last | .content | contains("quick:")
  then {hookSpecificOutput: {hookEventName: "BeforeModel", llm_request:
         {model: "gemini-2.5-flash", config: (.llm_request.config + {temperature: 0.2})}}}
  else {} end'
