// One small call, its answer wanted whole: a program only adds words.
import { getOrder } from "servers/orders";

return await getOrder({ id: 7 });
