import { useEffect } from 'preact/hooks';

const question = 'What you typed on this page is not saved. Leave without it?';

let isUnsaved = false;
const listeners = new Set<() => void>();

/** Asks before something typed is lost. */
export function mayLeave(): boolean {
  if (!isUnsaved) return true;
  if (!confirm(question)) return false;
  isUnsaved = false;
  for (const forget of listeners) forget();
  return true;
}

/** Whether a click leads to another page in this tab. */
function leadsTo({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return false;
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || (link.target && link.target !== '_self')) return false;
  return link.origin !== location.origin || pageOf(link) !== pageOf(location);
}

const pageOf = ({ pathname, search }: { pathname: string; search: string }): string =>
  `${pathname}${search}`;

/**
 * Asks before the page is left by a link, the back button, or with its tab.
 *
 * @param forget is called when the person leaves without what was typed.
 */
export function useUnsaved(unsaved: boolean, forget: () => void): void {
  useEffect(() => {
    if (!unsaved) return;
    isUnsaved = true;
    listeners.add(forget);
    const address = location.href;
    const here = pageOf(location);
    const stay = (event: Event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const onClick = (event: MouseEvent) => {
      if (leadsTo(event) && !mayLeave()) stay(event);
    };
    // The browser has gone there already, and only the page has not followed.
    const onPopState = (event: PopStateEvent) => {
      if (pageOf(location) === here || mayLeave()) return;
      stay(event);
      history.pushState(null, '', address);
    };
    const onUnload = (event: BeforeUnloadEvent) => isUnsaved && event.preventDefault();
    // Before the router hears of it.
    addEventListener('click', onClick, true);
    addEventListener('popstate', onPopState, true);
    addEventListener('beforeunload', onUnload);
    return () => {
      isUnsaved = false;
      listeners.delete(forget);
      removeEventListener('click', onClick, true);
      removeEventListener('popstate', onPopState, true);
      removeEventListener('beforeunload', onUnload);
    };
  }, [unsaved, forget]);
}
