import { useLayoutEffect } from 'preact/hooks';

/** Where unsaved text is, and what to do if it's abandoned. */
type Unsaved = { readonly address: string; readonly forget: () => void };
let unsaved: Unsaved | undefined;

/** Only the first answer counts. */
export type Answered = (leaves: boolean) => void;

/** Nobody can lose text on a page that can't ask. */
const leaveAtOnce = (answered: Answered): void => answered(true);
let ask = leaveAtOnce;
let isAsking = false;

/** @returns ends it. */
export function followLeaving(onAsked: (answered: Answered) => void): () => void {
  ask = onAsked;
  return () => {
    ask = leaveAtOnce;
    isAsking = false;
  };
}

/** Asks before unsaved text is lost. While it's being asked, nothing else may leave. */
export async function mayLeave(): Promise<boolean> {
  if (unsaved === undefined) return true;
  if (isAsking) return false;
  isAsking = true;
  const leaves = await new Promise<boolean>((answered) => ask(answered));
  isAsking = false;
  if (!leaves) return false;
  unsaved?.forget();
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

/** The link of a click that leads to another page in this tab. */
function leadingAway({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return undefined;
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || (link.target && link.target !== '_self')) return undefined;
  const isElsewhere = link.origin !== location.origin || pageOf(link) !== pageOf(location);
  return isElsewhere ? link : undefined;
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
    const link = unsaved && leadingAway(event);
    if (!link) return;
    stay(event);
    void mayLeave().then((leaves) => {
      if (!leaves) return;
      // The page may have drawn the link again while it asked.
      if (link.isConnected) link.click();
      else location.assign(link.href);
    });
  },
  true,
);

// The browser has already navigated; only the page hasn't followed.
addEventListener('popstate', (event) => {
  const address = unsaved?.address;
  if (address === undefined || pageOf(new URL(address)) === pageOf(location)) return;
  stay(event);
  history.pushState(null, '', address);
  void mayLeave().then((leaves) => leaves && history.back());
});

addEventListener('beforeunload', (event) => {
  if (unsaved) event.preventDefault();
});
