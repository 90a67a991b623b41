type Timed = { readonly at: number | undefined };

/**
 * Places each of the others before the first event that isn't earlier. The events stay in the service's order
 * (`byLifecycle` in `timeline-store.ts`), even if skewed clocks contradict it.
 */
export function placeAmongEvents<Step extends Timed>(
  others: readonly Step[],
  events: readonly Step[],
): Step[] {
  const placesOfOthers = others.map((step) => ({ step, place: step.at ?? 0 }));
  let latest = 0;
  const placesOfEvents = events.map((step) => {
    latest = Math.max(latest, step.at ?? 0);
    return { step, place: latest };
  });
  return [...placesOfOthers, ...placesOfEvents]
    .sort((one, other) => one.place - other.place)
    .map(({ step }) => step);
}
