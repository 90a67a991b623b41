import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/** The event after which the first byte of a request may leave. */
type ConnectionMade = 'connect' | 'secureConnect';

const notMade = new WeakSet<Error>();

/**
 * A connection not made within `withinMs` (name resolution, TCP and TLS together) is dropped.
 *
 * Node holds a request back until the connection is made, and a TLS connection until the server has proven its identity
 * (Node.js API, `tls` 'secureConnect'). So an earlier failure has sent nothing.
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
  // A busy process runs timers before sockets, so connections made by now still count.
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

/** Not a byte of the request has left. */
export const isConnectionNotMade = (error: unknown): boolean =>
  error instanceof Error && notMade.has(error);
