/** What would change how text around it reads: control bytes but newline and tab, and the bidi controls. */
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u061c\u200e\u200f]/g;

const INVISIBLE = /[\s\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u2800]/g;

function escape(char: string): string {
  const code = char.codePointAt(0)!;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Foreign text, shown as what it is: nothing hides in it, and none of it is empty to the eye. */
export function visible(text: string): string {
  const shown = text.replace(/\r\n/g, '\n').replace(UNSAFE, escape);
  if (shown !== '' && shown.replace(INVISIBLE, '') === '') return shown.replace(INVISIBLE, escape);
  return shown;
}

/** The first line with something on it. */
export function firstLine(text: string, max = 300): string {
  for (const line of text.split('\n', 200)) {
    const trimmed = line.trim();
    if (trimmed !== '') return visible(trimmed.length > max ? `${trimmed.slice(0, max)}…` : trimmed);
  }
  return '';
}
