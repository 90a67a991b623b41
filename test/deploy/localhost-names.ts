import dns from 'node:dns';

// Names under `localhost` are this machine (RFC 6761, 6.3). Browsers know, the C library doesn't, and the engine gives
// each API such a name.

const { lookup } = dns;
const isLocal = (name: unknown) => typeof name === 'string' && name.endsWith('.localhost');

dns.lookup = new Proxy(lookup, {
  apply: (target, self, [name, ...others]) =>
    Reflect.apply(target, self, [isLocal(name) ? 'localhost' : name, ...others]),
});
