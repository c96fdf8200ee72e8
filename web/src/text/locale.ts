export type Locale = 'en' | 'zh';

/** The language of a page: what was chosen, else the first the browser names that we have, else English. */
export function localeOf(chosen: string | null, browser: readonly string[]): Locale {
  if (chosen === 'en' || chosen === 'zh') return chosen;
  for (const tag of browser) {
    const language = tag.toLowerCase().split('-')[0];
    if (language === 'en' || language === 'zh') return language;
  }
  return 'en';
}
