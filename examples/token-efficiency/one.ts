// One small call with its complete answer: a program only adds tokens.
import { getOrder } from "servers/orders";

return await getOrder({ id: 7 });
