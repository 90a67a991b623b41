import * as z from 'zod';

/** How long to go on, and with how many at a time. */
export const drivingSchema = z.object({ inFlight: z.int().positive(), milliseconds: z.number() });
export type Driving = z.output<typeof drivingSchema>;

export const drivenSchema = z.object({ perSecond: z.number() });
export type Driven = z.output<typeof drivenSchema>;

/** Calls again and again, with so many calls under way at any time. */
export async function drive(
  { inFlight, milliseconds }: Driving,
  call: () => Promise<void>,
): Promise<Driven> {
  let calls = 0;
  const startedAt = performance.now();
  const keepCalling = async () => {
    while (performance.now() - startedAt < milliseconds) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, keepCalling));
  return { perSecond: (1_000 * calls) / (performance.now() - startedAt) };
}
