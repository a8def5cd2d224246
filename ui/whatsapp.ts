/** Opens a chat with a text ready to send: with this phone where it is a mobile of Colombia or says its country, else with whom one picks. */
export function whatsAppLink(text: string, phone: string | null | undefined): string {
  return `https://wa.me/${reachable(phone ?? "")}?text=${encodeURIComponent(text)}`;
}

function reachable(phone: string): string {
  const digits = phone.replaceAll(/\D/g, "").replace(/^00/, "");
  if (/^3\d{9}$/.test(digits)) return `57${digits}`;
  return phone.trim().startsWith("+") || /^573\d{9}$/.test(digits) ? digits : "";
}
