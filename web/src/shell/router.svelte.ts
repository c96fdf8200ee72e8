export interface Place {
  session: string | null;
  /** Which write of the list is looked at, counted from 1. */
  write: number | null;
}

export function placeOf(path: string): Place {
  const match = /^\/s\/([^/]+)(?:\/w\/(\d{1,9}))?\/?$/.exec(path);
  if (!match) return { session: null, write: null };
  let session: string;
  try {
    session = decodeURIComponent(match[1]!);
  } catch {
    return { session: null, write: null };
  }
  const write = match[2] === undefined ? null : Number(match[2]);
  return { session, write: write !== null && write >= 1 ? write : null };
}

export function pathOf({ session, write }: Place): string {
  if (session === null) return '/';
  const base = `/s/${encodeURIComponent(session)}`;
  return write === null ? base : `${base}/w/${write}`;
}

/** Where the page is; every place has a URL. */
class Router {
  place = $state.raw<Place>(placeOf(location.pathname));

  constructor() {
    addEventListener('popstate', () => (this.place = placeOf(location.pathname)));
  }

  go(place: Place, how: 'push' | 'replace' = 'push'): void {
    const path = pathOf(place);
    if (path !== location.pathname) history[how === 'push' ? 'pushState' : 'replaceState'](null, '', path);
    this.place = place;
  }
}

export const router = new Router();
