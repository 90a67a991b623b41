/** The same calls, with something that happens before each. */
export const interrupted = <Calls extends object>(
  calls: Calls,
  before: (name: string) => Promise<void>,
): Calls =>
  new Proxy(calls, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      return async (...args: readonly unknown[]) => {
        await before(String(name));
        return Reflect.apply(call, target, args);
      };
    },
  });
