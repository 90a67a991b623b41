import { useEffect } from 'preact/hooks';

const freshEveryMs = 10_000;
/** An open page doesn't ask forever: after half an hour, it waits until someone comes back. */
const maxRounds = 180;

/** Runs `refresh` every ten seconds while the page is likely to be watched, and when someone comes back to it. */
export function useFresh(refresh: () => void, isOn = true): void {
  useEffect(() => {
    if (!isOn) return;
    let rounds = 0;
    const timer = setInterval(() => {
      if (document.hidden || rounds >= maxRounds) return;
      rounds += 1;
      refresh();
    }, freshEveryMs);
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
  }, [refresh, isOn]);
}
