int i = threadIdx.x;
p[i] = __fdividef(1.0f, p[i]);
p[i] = no_such_body; // FAULT 4
