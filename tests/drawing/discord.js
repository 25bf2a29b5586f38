import "@skyra/discord-components-core";
