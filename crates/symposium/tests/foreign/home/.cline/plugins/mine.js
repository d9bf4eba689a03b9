export default { name: "mine", manifest: { capabilities: ["hooks"] }, hooks: {} };
