#!/bin/sh
# What the house already knows is answered without asking the model.
exec jq 'if .llm_request.messages | last | .content | endswith("Which license do we use?")
  then {decision: "deny", reason: "answered from the house rules",
        hookSpecificOutput: {hookEventName: "BeforeModel", llm_response:
          {text: "MIT or Apache-2.0",
           candidates: [{content: {role: "model", parts: ["MIT or Apache-2.0"]}, finishReason: "STOP", index: 0}]}}}
  else {} end'
