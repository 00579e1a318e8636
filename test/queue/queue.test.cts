// Both in one queue, because its processes take as long to start as many of the tests to run.
import './dispatches.cts';
import './callbacks.cts';
