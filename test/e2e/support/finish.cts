import { removeShared } from './prepare.cts';

export default removeShared;
