// Before the page is painted: which language's tab the reader chose last. Without this script all are shown.
try {
  document.documentElement.dataset.language = localStorage.getItem("mostrador-language") ?? "curl";
} catch {
  document.documentElement.dataset.language = "curl";
}
