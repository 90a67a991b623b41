import { useEffect } from 'preact/hooks';

const freshEveryMs = 10_000;
/** An open page doesn't ask forever: then it waits until someone comes back. */
const longestMs = 1_800_000;

/** Runs `refresh` now and then while the page is likely to be watched, and when someone comes back to it. */
export function useFresh(
  refresh: () => void,
  { isOn = true, everyMs = freshEveryMs }: { isOn?: boolean; everyMs?: number } = {},
): void {
  useEffect(() => {
    if (!isOn) return;
    let rounds = 0;
    const timer = setInterval(() => {
      if (document.hidden || rounds * everyMs >= longestMs) return;
      rounds += 1;
      refresh();
    }, everyMs);
    const onReturn = () => {
      if (document.hidden) return;
      rounds = 0;
      refresh();
    };
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [refresh, isOn, everyMs]);
}
