import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/** What a connection emits when it is made, and the first byte of a request may leave. */
export type ConnectionMade = 'connect' | 'secureConnect';

const notMade = new WeakSet<Error>();

/**
 * Watches the connections that an agent opens. One that is not made within `withinMs` milliseconds (name
 * resolution, TCP and, of HTTPS, TLS together) is given up.
 *
 * Node holds a request back until the connection is made, and a TLS connection until the server has proven
 * who it is (Node.js API, `tls` 'secureConnect'). So whatever fails before has sent nothing.
 */
export function watchConnections<Watched extends Agent>(
  agent: Watched,
  made: ConnectionMade,
  withinMs: number,
): Watched {
  const open = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const connection = open(options, callback);
    if (connection) watch(connection, made, withinMs);
    return connection;
  };
  return agent;
}

function watch(connection: Duplex, made: ConnectionMade, withinMs: number): void {
  const remember = (error: Error) => notMade.add(error);
  const giveUp = () => connection.destroy(new Error(`no connection within ${withinMs} ms`));
  // A process that was busy hears of timers before it hears of sockets: what has come meanwhile counts.
  let lastChance: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    lastChance = setImmediate(giveUp);
  }, withinMs);
  const stopWaiting = () => {
    clearTimeout(timer);
    clearImmediate(lastChance);
  };
  connection.once('error', remember);
  connection.once('close', stopWaiting);
  connection.once(made, () => {
    stopWaiting();
    connection.off('error', remember);
  });
}

/** Whether a request failed before its connection was made, so that not a byte of it has left. */
export const isConnectionNotMade = (error: unknown): boolean =>
  error instanceof Error && notMade.has(error);
