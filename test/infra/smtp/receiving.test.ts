import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createReceiver,
  type Incomplete,
  leastBytesPerWindow,
  windowMs,
} from '../../../infra/smtp/receiving.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] }));
afterEach(() => void vi.useRealTimers());

type Receive = ReturnType<typeof createReceiver>;

/** A message on its way. The SMTP library counts what has come. */
function startMessage(receive: Receive) {
  const stream = Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });
  const outcomes: (Buffer | Incomplete)[] = [];
  const received = receive(stream, async (raw) => void outcomes.push(raw));
  const send = async (bytes: number) => {
    stream.byteLength += bytes;
    stream.write(Buffer.alloc(bytes, 'x'));
    await setImmediate();
  };
  return { stream, send, outcomes, received };
}

describe('an SMTP message', () => {
  it('arrives completely while many others stall', async () => {
    const receive = createReceiver(1_000_000);
    const idle = Array.from({ length: 20 }, () => startMessage(receive));
    const message = startMessage(receive);

    await message.send(1_000);
    message.stream.end();
    await message.received;

    expect(message.outcomes).toEqual([Buffer.alloc(1_000, 'x')]);
    expect(idle.flatMap(({ outcomes }) => outcomes)).toEqual([]);
  });

  it('that stalls is dropped at the end of the window, not earlier', async () => {
    const message = startMessage(createReceiver(1_000_000));
    await message.send(leastBytesPerWindow);
    await vi.advanceTimersByTimeAsync(windowMs);
    const before = [...message.outcomes];

    await message.send(leastBytesPerWindow - 1);
    await vi.advanceTimersByTimeAsync(windowMs);
    await message.received;

    expect(before).toEqual([]);
    expect(message.outcomes).toEqual(['too_slow']);
    expect(message.stream.destroyed).toBe(true);
  });

  it('that never ends is dropped after five minutes, at any speed', async () => {
    const message = startMessage(createReceiver(100_000_000));
    for (let windows = 0; windows < 10; windows += 1) {
      await message.send(leastBytesPerWindow);
      await vi.advanceTimersByTimeAsync(windowMs);
    }

    expect(message.outcomes).toEqual(['too_slow']);
  });

  it("above its share is refused when memory is short, and smaller ones aren't", async () => {
    const receive = createReceiver(10_000);
    const [large, small] = [startMessage(receive), startMessage(receive)];
    await large.send(5_000);
    await small.send(4_000);
    await large.send(5_000);

    await small.send(500);
    small.stream.end();
    await Promise.all([large.received, small.received]);

    expect(large.outcomes).toEqual(['too_much_at_once']);
    expect(small.outcomes).toEqual([Buffer.alloc(4_500, 'x')]);
  });

  it('counts towards memory until it has been handled', async () => {
    const receive = createReceiver(10_000);
    const { promise: worked, resolve: finish } = Promise.withResolvers<void>();
    const first = Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });
    const working = receive(first, () => worked);
    first.end(Buffer.alloc(9_000));
    await setImmediate();
    const [second, third] = [startMessage(receive), startMessage(receive)];

    await second.send(6_000);
    await second.received;
    finish();
    await working;
    await third.send(6_000);
    third.stream.end();
    await third.received;

    expect(second.outcomes).toEqual(['too_much_at_once']);
    expect(third.outcomes).toEqual([Buffer.alloc(6_000, 'x')]);
  });

  it('that is too large or breaks off is reported as such', async () => {
    const receive = createReceiver(1_000_000);
    const [large, gone] = [startMessage(receive), startMessage(receive)];

    large.stream.sizeExceeded = true;
    await large.send(1);
    gone.stream.destroy();
    await Promise.all([large.received, gone.received]);

    expect([large.outcomes, gone.outcomes]).toEqual([['too_large'], ['broke_off']]);
  });
});
