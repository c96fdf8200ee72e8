/** Whether a key belongs to what has the focus, and is no command of the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]');
}

/** The key's name where it comes without a modifier, which is left to the browser and the system. */
export function plainKey(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return null;
  return event.key;
}
