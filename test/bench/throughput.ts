import * as z from 'zod';
import { median } from './statistics.ts';

/** How long to go on, and with how many at a time. */
export const drivingSchema = z.object({ inFlight: z.int().positive(), milliseconds: z.number() });
export type Driving = z.output<typeof drivingSchema>;

export const drivenSchema = z.object({
  perSecond: z.number(),
  /** Of one call, in milliseconds. */
  medianLatency: z.number(),
});
export type Driven = z.output<typeof drivenSchema>;

/** Calls again and again, with so many calls under way at any time. */
export async function drive(
  { inFlight, milliseconds }: Driving,
  call: () => Promise<void>,
): Promise<Driven> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const keepCalling = async () => {
    while (performance.now() - startedAt < milliseconds) {
      const calledAt = performance.now();
      await call();
      latencies.push(performance.now() - calledAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, keepCalling));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: latencies.length / seconds, medianLatency: median(latencies) };
}
