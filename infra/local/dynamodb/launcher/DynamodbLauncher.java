import java.lang.reflect.Field;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * Starts DynamoDB Local on a free port of the loopback interface, and prints which.
 *
 * DynamoDB Local's own launcher listens on every interface, and cannot choose a free port itself. A Java
 * runtime has no compiler, so the class file stands beside this source. Whoever changes the source makes
 * it again with `npm run build:launcher`.
 */
public final class DynamodbLauncher {
  /** Takes the options of DynamoDB Local, `-port` excepted. */
  public static void main(String[] options) throws Exception {
    DynamoDBProxyServer dynamodb = ServerRunner.createServerFromCommandLineArgs(options);
    ServerConnector connector = connectorOf(dynamodb);
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    dynamodb.start();
    System.out.println("Listening on port " + connector.getLocalPort());
    dynamodb.join();
  }

  /** DynamoDB Local offers no way to its web server. */
  private static ServerConnector connectorOf(DynamoDBProxyServer dynamodb) throws Exception {
    Field server = DynamoDBProxyServer.class.getDeclaredField("server");
    server.setAccessible(true);
    return (ServerConnector) ((Server) server.get(dynamodb)).getConnectors()[0];
  }
}
