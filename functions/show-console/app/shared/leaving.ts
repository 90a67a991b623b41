import { useLayoutEffect } from 'preact/hooks';

const question = 'What you typed on this page isn’t saved. Leave anyway?';

/** Where unsaved text is, and what to do if it's abandoned. */
type Unsaved = { readonly address: string; readonly forget: () => void };
let unsaved: Unsaved | undefined;

/** Asks before unsaved text is lost. */
export function mayLeave(): boolean {
  if (unsaved === undefined) return true;
  if (!confirm(question)) return false;
  unsaved.forget();
  unsaved = undefined;
  return true;
}

/**
 * Asks before a link, the back button or closing the tab leaves the page.
 *
 * @param forget called if the person leaves anyway.
 */
export function useUnsaved(isUnsaved: boolean, forget: () => void): void {
  // A layout effect, so that it applies as soon as the page is shown: someone may leave before the next frame.
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

// The router also listens on the window, and listeners run in the order they were added. These are added on load,
// before there is a router.
addEventListener(
  'click',
  (event) => {
    if (unsaved && leadsAway(event) && !mayLeave()) stay(event);
  },
  true,
);

// The browser has already navigated; only the page hasn't followed.
addEventListener('popstate', (event) => {
  const address = unsaved?.address;
  if (address === undefined || pageOf(new URL(address)) === pageOf(location) || mayLeave()) return;
  stay(event);
  history.pushState(null, '', address);
});

addEventListener('beforeunload', (event) => {
  if (unsaved) event.preventDefault();
});
