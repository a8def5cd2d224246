export const downloadsPath = "/docs/descargas";
