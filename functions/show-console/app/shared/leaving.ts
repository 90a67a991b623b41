import { useLayoutEffect } from 'preact/hooks';

const question = 'What you typed on this page is not saved. Leave without it?';

/** What is not saved: where it is typed, and what is to be done when the person leaves without it. */
type Unsaved = { readonly address: string; readonly forget: () => void };
let unsaved: Unsaved | undefined;

/** Asks before something typed is lost. */
export function mayLeave(): boolean {
  if (unsaved === undefined) return true;
  if (!confirm(question)) return false;
  unsaved.forget();
  unsaved = undefined;
  return true;
}

/**
 * Asks before a page is left by a link, the back button, or with its tab.
 *
 * @param forget is called when the person leaves without what was typed.
 */
export function useUnsaved(isUnsaved: boolean, forget: () => void): void {
  // Together with what the page shows: who leaves before the next frame is asked, or not asked, all the same.
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    unsaved = { address: location.href, forget };
    return () => {
      unsaved = undefined;
    };
  }, [isUnsaved, forget]);
}

const pageOf = ({ pathname, search }: { pathname: string; search: string }): string =>
  `${pathname}${search}`;

/** Whether a click leads to another page in this tab. */
function leadsAway({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return false;
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || (link.target && link.target !== '_self')) return false;
  return link.origin !== location.origin || pageOf(link) !== pageOf(location);
}

function stay(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// The router listens at the same place, and hears an event after whoever listened first. So these listen as soon as they
// are loaded, which is before there is a router.
addEventListener(
  'click',
  (event) => {
    if (unsaved && leadsAway(event) && !mayLeave()) stay(event);
  },
  true,
);

// The browser has gone there already, and only the page has not followed.
addEventListener('popstate', (event) => {
  const address = unsaved?.address;
  if (address === undefined || pageOf(new URL(address)) === pageOf(location) || mayLeave()) return;
  stay(event);
  history.pushState(null, '', address);
});

addEventListener('beforeunload', (event) => {
  if (unsaved) event.preventDefault();
});
